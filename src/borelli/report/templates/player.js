// One instant for a whole result: whoever changes it, everyone who listens is told.
function makePlayer(section, result) {
  const [play, scrub, clock, speed] = [".play", ".scrub", ".clock", ".speed"].map((s) => section.querySelector(s));
  const time = drawnTime(result), last = time.length - 1, listeners = [];
  let frame = 0, running = false;

  const show = (next) => {
    frame = Math.max(0, Math.min(last, next));
    scrub.value = time[frame];
    clock.textContent = time[frame].toFixed(2) + " s";
    scrub.setAttribute("aria-valuetext", clock.textContent);
    listeners.forEach((listener) => listener(frame));
  };
  const label = (words, name) => {
    play.textContent = words;
    play.setAttribute("aria-label", name);
  };
  const halt = () => {
    if (!running) return;
    running = false;
    label("Play", "Play the motion");
    show(frame); // charts that were left behind while it ran
  };
  const start = () => {
    running = true;
    label("Pause", "Pause the motion");
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

  // In seconds, so that slider and contacts share one axis however the instants are spaced.
  [scrub.min, scrub.max, scrub.step] = [result.time.values[0], result.time.values.at(-1), "any"];
  scrub.addEventListener("input", () => pick(nearest(time, Number(scrub.value))));
  play.addEventListener("click", toggle);
  const keys = {
    " ": toggle, ArrowLeft: () => pick(frame - 1), ArrowRight: () => pick(frame + 1),
    Home: () => pick(0), End: () => pick(last),
  };
  const listenForKeys = (element) => {
    element.tabIndex = 0;
    element.addEventListener("keydown", (event) => {
      if (!(event.key in keys) || event.ctrlKey || event.metaKey || event.altKey || event.target !== element) return;
      event.preventDefault();
      keys[event.key]();
    });
  };
  scrub.addEventListener("keydown", (event) => {
    if (!(event.key in keys)) return;
    event.preventDefault();
    keys[event.key]();
  });
  return {
    time, pick, show, toggle, listenForKeys,
    get frame() { return frame; },
    get running() { return running; },
    listen(listener) { listeners.push(listener); },
  };
}

// While the motion plays, what is out of sight waits, and what is in sight is not drawn at every frame.
function followPlayer(element, player, update) {
  let seen = true, then = 0;
  new IntersectionObserver(([entry]) => {
    if (entry.isIntersecting && !seen && player.running) update(player.frame);
    seen = entry.isIntersecting;
  }).observe(element);
  player.listen((frame) => {
    if (player.running && (!seen || performance.now() - then < 120)) return;
    then = performance.now();
    update(frame);
  });
}

// Who stands on the ground when: a bar for each contact, under the scrubber.
function timeline(section, result, player) {
  const place = section.querySelector(".timeline"), first = result.time.values[0], last = result.time.values.at(-1);
  if (!result.contacts.length || last === first) return;
  place.hidden = false;
  const part = (time) => (100 * (time - first)) / (last - first);
  const needle = make("i", "needle");
  for (const { side, spans } of result.contacts) {
    const line = make("div", "side"), track = make("div", "track");
    for (const [begin, end] of spans) {
      const bar = make("span");
      bar.style.cssText = `left:${part(begin)}%;width:${part(end) - part(begin)}%;background:${sideColour(result, side)}`;
      bar.title = `${side} on the ground from ${digits(begin)} s to ${digits(end)} s`;
      track.append(bar);
    }
    line.append(make("span", "name", side), track);
    place.append(line);
  }
  const tracks = place.querySelectorAll(".track");
  tracks[0].append(needle);
  needle.style.height = `calc(${tracks.length} * var(--lane))`;
  player.listen((frame) => { needle.style.left = part(player.time[frame]) + "%"; });
  for (const track of tracks) {
    track.addEventListener("click", (event) => {
      const box = track.getBoundingClientRect();
      player.pick(nearest(player.time, first + ((event.clientX - box.left) / box.width) * (last - first)));
    });
  }
  const told = ([begin, end]) => `${digits(begin)} to ${digits(end)} s`;
  describe(place, "Contacts with the ground. " + result.contacts.map(({ side, spans }) => `${side}: ${spans.map(told).join(", ")}`).join("; "));
}
