// What the server compiles for a table that is not ready yet: asked for now and then, until `done` says so.
import { t } from "./dom.js";

export function watchPreparing(element, done) {
  const timer = setInterval(async () => {
    if (done()) { clearInterval(timer); return; }
    try {
      const answer = await fetch("/api/preparing", { headers: { accept: "application/json" } });
      const { preparing } = await answer.json();
      if (!done() && preparing.length) element.textContent = t("table.compiling", { what: preparing.at(-1).replaceAll("_", " ").trim() });
    } catch { /* the server is busy or gone: the table says so */ }
  }, 700);
}
