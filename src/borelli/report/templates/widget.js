// The page of a result as a widget: a frame, and what is chosen in it as traits of the model in the kernel.
function render({ model, el }) {
  const frame = document.createElement("iframe");
  frame.title = "Page of a result";
  frame.setAttribute("sandbox", "allow-scripts allow-downloads");
  frame.style.cssText = `width:100%;height:${Number(model.get("height"))}px;border:0`;
  frame.srcdoc = model.get("html");
  let hearing = false, first = true;
  const tell = () => {
    if (!hearing) frame.contentWindow?.postMessage({ borelli: "choose", instant: model.get("instant"), output: model.get("output") }, "*");
  };
  const hear = ({ source, data }) => {
    if (source !== frame.contentWindow || data?.borelli !== "chosen" || !Number.isFinite(data.instant) || typeof data.output !== "string") return;
    // What was chosen in Python before the page was there comes first.
    const wanted = first && (model.get("instant") !== null || model.get("output") !== "");
    first = false;
    if (wanted) return tell();
    hearing = true; // what the page says is not said to it again
    model.set({ instant: data.instant, output: data.output });
    hearing = false;
    model.save_changes();
  };
  window.addEventListener("message", hear);
  model.on("change:instant", tell);
  model.on("change:output", tell);
  el.append(frame);
  return () => {
    window.removeEventListener("message", hear);
    model.off("change:instant", tell);
    model.off("change:output", tell);
  };
}

export default { render };
