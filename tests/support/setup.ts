import 'reflect-metadata';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Nothing a test does may end up in the state of whoever runs it, or depend on the folder it runs in.
const own = mkdtempSync(join(tmpdir(), 'castellan-test-'));
process.env.XDG_STATE_HOME = join(own, 'state');
process.env.XDG_CONFIG_HOME = join(own, 'config');
process.env.CASTELLAN_WORKSPACE = join(own, 'workspace');
mkdirSync(process.env.CASTELLAN_WORKSPACE);
process.on('exit', () => rmSync(own, { recursive: true, force: true }));
