// As many seats as wanted; names only for people.
import { byId, t } from "./dom.js";
import { watchPreparing } from "./preparing.js";

const count = byId("count");
function update() {
  document.querySelectorAll("[data-seat]").forEach((seat) => {
    const used = Number(seat.dataset.seat) < Number(count.value);
    seat.hidden = !used;
    seat.querySelectorAll("select, input").forEach((field) => { field.disabled = !used; });
    const name = seat.querySelector("input");
    name.hidden = seat.querySelector("select").value !== "me";
  });
}
byId("new").addEventListener("input", update);
update();
byId("new").addEventListener("submit", () => {
  const status = byId("opening");
  status.textContent = t("table.preparing");
  watchPreparing(status, () => false);
});
