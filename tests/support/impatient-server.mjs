// A host whose timer rings too early where somebody waits long, as for a person: 50 seconds pass in one. What is
// short keeps its time, so that a busy machine is no reason for a refusal of another kind.
import { createCastellan } from '../../dist/lib/index.js';
import { Timer } from '../../dist/lib/ports.js';

const LONG_MS = 45_000;
const after = (ms, callback) => {
  const timer = setTimeout(callback, ms < LONG_MS ? ms : ms / 50);
  return () => clearTimeout(timer);
};
const impatient = { after, someTimeAfter: after };
const castellan = await createCastellan({
  policy: process.argv[2],
  configure: (container) => container.rebind(Timer).toConstantValue(impatient),
});
await castellan.serveStdio();
await castellan.close();
process.exit(0);
