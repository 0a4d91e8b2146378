// Hands of a file or of a text, each with its link.
import { ask, byId, el, refuse, t } from "./dom.js";

let source = null;

async function load(start) {
  refuse("");
  try {
    let found;
    if (source.file) found = await ask(`/api/hands?file=${encodeURIComponent(source.file)}&start=${start}`);
    else {
      const answer = await fetch(`/api/hands?start=${start}`, { method: "POST", body: source.text });
      found = await answer.json();
      if (!answer.ok) throw new Error(found.refused);
    }
    show(found, start);
  } catch (wrong) { refuse(wrong.message); }
}

function show(found, start) {
  const place = byId("hands");
  place.hidden = false;
  place.querySelector("h2").textContent = t("replay.hands", { name: found.file });
  const list = place.querySelector("ol");
  if (!start) list.replaceChildren();
  list.append(...found.hands.map((h) => el("li", {}, el("a", { href: `/replay/hand?h=${h.link}` }, t("replay.hand", { number: h.number })), el("span", {}, h.players), el("span", { class: "line" }, h.what))));
  byId("more").hidden = !found.more;
  byId("more").onclick = () => load(found.start + found.hands.length);
}

byId("filelist")?.addEventListener("click", (event) => {
  const file = event.target.closest("[data-file]")?.dataset.file;
  if (file) { source = { file }; load(0); }
});
byId("paste").addEventListener("submit", async (event) => {
  event.preventDefault();
  const chosen = byId("file").files[0];
  source = { text: chosen ? await chosen.arrayBuffer() : byId("text").value };
  load(0);
});
