// One instant for a whole result: whoever changes it, everyone who listens is told.
function makePlayer(section, result) {
  const [play, scrub, clock, speed] = [".play", ".scrub", ".clock", ".speed"].map((s) => section.querySelector(s));
  const time = drawnTime(result), last = time.length - 1, listeners = [];
  let frame = 0, running = false;

  const show = (next) => {
    frame = Math.max(0, Math.min(last, next));
    scrub.value = frame;
    clock.textContent = time[frame].toFixed(2) + " s";
    scrub.setAttribute("aria-valuetext", clock.textContent);
    listeners.forEach((listener) => listener(frame));
  };
  const halt = () => {
    running = false;
    play.textContent = "Play";
    play.setAttribute("aria-label", "Play the motion");
  };
  const start = () => {
    running = true;
    play.textContent = "Pause";
    play.setAttribute("aria-label", "Pause the motion");
    if (frame === last) show(0);
    let then = performance.now(), now = time[frame];
    const step = (clockNow) => {
      if (!running) return;
      now += ((clockNow - then) / 1000) * Number(speed.value);
      then = clockNow;
      let next = frame;
      while (next < last && time[next + 1] <= now) next += 1;
      if (next !== frame) show(next);
      if (frame === last) halt(); else requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  };
  const toggle = () => (running ? halt() : start());
  const pick = (next) => { halt(); show(next); };

  scrub.max = last;
  scrub.addEventListener("input", () => pick(Number(scrub.value)));
  play.addEventListener("click", toggle);
  const keys = {
    " ": toggle, ArrowLeft: () => pick(frame - 1), ArrowRight: () => pick(frame + 1),
    Home: () => pick(0), End: () => pick(last),
  };
  const listenForKeys = (element) => {
    element.tabIndex = 0;
    element.addEventListener("keydown", (event) => {
      if (!(event.key in keys) || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      keys[event.key]();
    });
  };
  return {
    time, pick, show, listenForKeys,
    get frame() { return frame; },
    get running() { return running; },
    listen(listener) { listeners.push(listener); },
  };
}
