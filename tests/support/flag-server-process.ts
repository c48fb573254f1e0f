import 'reflect-metadata';
import { createCastellan } from '../../src/composition/server/create-castellan.js';

// A server over stdio whose rate lets a test call as often as it likes.
const [workspace = '.', flag = ''] = process.argv.slice(2);
const castellan = await createCastellan({
  workspace,
  logLevel: 'silent',
  budget: { rate: { limit: 1e6, perMs: 1000, burst: 1e6 }, concurrency: 64 },
  ...(flag !== '' && { flags: { enabledBy: { echo: flag } } }),
});
await castellan.serveStdio();
await castellan.close();
