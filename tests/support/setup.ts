import 'reflect-metadata';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Nothing a test does may end up in the state of whoever runs it.
const state = mkdtempSync(join(tmpdir(), 'castellan-state-'));
process.env.XDG_STATE_HOME = state;
process.env.XDG_CONFIG_HOME = join(state, 'config');
process.on('exit', () => rmSync(state, { recursive: true, force: true }));
