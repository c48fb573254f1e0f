// A host whose timer rings fifty times too early: 50 seconds of waiting for a person pass in one.
import { createCastellan, Timer } from '../../dist/lib/index.js';

const after = (ms, callback) => {
  const timer = setTimeout(callback, ms / 50);
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
