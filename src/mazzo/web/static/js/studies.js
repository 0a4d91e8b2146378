// The charts of studies.
import { plot } from "./plot.js";

document.querySelectorAll(".chart-data").forEach((data) => {
  try { data.parentElement.prepend(plot(JSON.parse(data.textContent))); } catch { /* a chart without points */ }
});
