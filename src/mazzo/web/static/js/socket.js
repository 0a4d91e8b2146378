// The one websocket, which comes back by itself.
export function connect(handlers) {
  let socket = null;
  let wait = 300;
  const open = () => {
    socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`);
    socket.addEventListener("open", () => { wait = 300; handlers.open?.(); });
    socket.addEventListener("message", (event) => handlers.message(JSON.parse(event.data)));
    socket.addEventListener("close", () => { handlers.lost?.(); setTimeout(open, wait); wait = Math.min(wait * 1.6, 5000); });
  };
  open();
  return { send: (message) => { if (socket?.readyState === WebSocket.OPEN) { socket.send(JSON.stringify(message)); return true; } return false; } };
}
