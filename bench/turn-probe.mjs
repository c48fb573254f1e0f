// Loaded into a server before it starts (--import): writes the longest turns of its event loop to the file TURN_PROBE names.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';

const file = process.env.TURN_PROBE;
const own = `/proc/self/task/${process.pid}/sched`;
const RUNTIME = /^se\.sum_exec_runtime\s*:\s*([\d.]+)/m;
const longest = [];
let began = performance.now();
let worked = processorMs();

// Of this thread, where the kernel tells: the others collect garbage and compile beside it. Else of all threads.
function processorMs() {
  const { user, system } = process.cpuUsage();
  try {
    return Number(RUNTIME.exec(readFileSync(own, 'utf8'))?.[1] ?? (user + system) / 1000);
  } catch {
    return (user + system) / 1000;
  }
}

// A turn that others of the machine kept waiting took less of the processor than of the time.
function turn() {
  const now = performance.now();
  const used = processorMs();
  const ms = Math.min(now - began, used - worked);
  if (ms > 5) longest.push({ at: Math.round(now), ms: Math.round(ms * 10) / 10 });
  began = now;
  worked = used;
  setImmediate(turn).unref();
}

if (file !== undefined) {
  setImmediate(turn).unref();
  setInterval(() => {
    writeFileSync(`${file}.new`, JSON.stringify(longest));
    renameSync(`${file}.new`, file);
  }, 100).unref();
}
