// Loaded into a server before it starts (--import): writes the longest turns of its event loop to the file TURN_PROBE names.
import { writeFileSync } from 'node:fs';

const file = process.env.TURN_PROBE;
const longest = [];
let began = performance.now();
let cpu = process.cpuUsage();

// A turn that others of the machine kept waiting took less of the processor than of the time.
function turn() {
  const now = performance.now();
  const used = process.cpuUsage();
  const ms = Math.min(now - began, (used.user + used.system - cpu.user - cpu.system) / 1000);
  if (ms > 5) longest.push({ at: Math.round(now), ms: Math.round(ms * 10) / 10 });
  began = now;
  cpu = used;
  setImmediate(turn).unref();
}
if (file !== undefined) {
  setImmediate(turn).unref();
  setInterval(() => writeFileSync(file, JSON.stringify(longest)), 100).unref();
}
