// Inside a widget of a notebook: the window around the page hears what is chosen, and may choose. No other page talks.
function talkToParent(started) {
  if (document.documentElement.dataset.parent !== "notebook" || window.parent === window || !started.length) return;
  const { data, player, shares } = started[0], section = document.getElementById("result-0");
  let told = "";
  const tell = () => {
    if (player.running) return;
    const chosen = { borelli: "chosen", instant: player.time[player.frame], output: shares ? shares.output().name : "" };
    if (JSON.stringify(chosen) === told) return;
    told = JSON.stringify(chosen);
    window.parent.postMessage(chosen, "*"); // who is around a page of no origin is not known to it
  };
  window.addEventListener("message", ({ source, data: wanted }) => {
    if (source !== window.parent || wanted?.borelli !== "choose") return;
    const output = data.outputs.findIndex((each) => each.name === wanted.output);
    if (output >= 0 && shares && shares.output().name !== wanted.output) shares.open(output, false);
    if (Number.isFinite(wanted.instant)) player.pick(nearest(player.time, wanted.instant));
    tell();
  });
  player.listen(tell);
  section.addEventListener("change", tell);
  section.addEventListener("click", tell);
  tell();
}
