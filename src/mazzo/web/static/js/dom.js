// Building pages without HTML in strings: whatever a name or a log holds, it is text.
const words = JSON.parse(document.getElementById("words").textContent);

// Every place is filled once, so that whatever a name holds is text; {n:hand|hands} is the word for a number.
export function fill(text, values) {
  return text.replace(/\{(\w+)(?::([^{}|]*)\|([^{}|]*))?\}/g, (place, name, one, many) => {
    if (!Object.hasOwn(values, name)) return place;
    return one === undefined ? String(values[name]) : String(values[name]) === "1" ? one : many;
  });
}

export function t(key, values = {}) { return fill(words[key] ?? key, values); }

export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  set(node, attributes);
  for (const child of children.flat()) if (child !== null && child !== undefined && child !== false) node.append(child);
  return node;
}

export function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  set(node, attributes);
  for (const child of children.flat()) if (child !== null && child !== undefined) node.append(child);
  return node;
}

function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "class") node.setAttribute("class", value);
    else node.setAttribute(name, value === true ? "" : value);
  }
}

export function byId(id) { return document.getElementById(id); }

export function refuse(reason) {
  const place = byId("refused");
  if (!place) return;
  place.textContent = reason || "";
  place.hidden = !reason;
}

export async function ask(url, body) {
  const options = body === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const answer = await fetch(url, options);
  const data = await answer.json().catch(() => ({ refused: answer.statusText }));
  if (!answer.ok) throw new Error(data.refused || answer.statusText);
  return data;
}

export function remember(key, value) {
  try {
    if (value === undefined) return JSON.parse(localStorage.getItem(key) || "null");
    localStorage.setItem(key, JSON.stringify(value));
  } catch { /* storage may be off */ }
  return null;
}

export function signed(value, digits = 3) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  return (value >= 0 ? "+" : "−") + Math.abs(value).toFixed(digits);
}

export async function copy(text, button) {
  const before = button.textContent;
  try { await navigator.clipboard.writeText(text); button.textContent = t("table.copied"); }
  catch { prompt("", text); }
  setTimeout(() => { button.textContent = before; }, 1500);
}
