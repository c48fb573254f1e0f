import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { COMMANDER, OFFICIAL, type PeerPackage } from '../peer-packages.js';
import type { ComparisonGround } from './comparison-ground.js';

const MAIN = resolve(import.meta.dirname, '..', '..', 'dist', 'main.js');

export type Call = readonly [tool: string, args: Readonly<Record<string, unknown>>];

/** A server, set up to serve one folder, and how it is asked. What is absent it has no tool for. */
export interface ComparedServer {
  readonly title: string;
  /** Installed from npm; absent for our own. */
  readonly peer?: PeerPackage;
  /** Confines it to the project, by the means that its documentation names. */
  readonly prepare: (ground: ComparisonGround) => void;
  readonly start: (modules: string, root: string) => readonly string[];
  readonly read: (path: string) => Call;
  readonly write: (path: string, content: string) => Call;
  readonly run?: (command: string) => Call;
  /** The call by which a model would try to be allowed every folder. */
  readonly widen?: (ground: ComparisonGround) => Call;
}

export const CASTELLAN: ComparedServer = {
  title: 'Castellan',
  prepare: ({ project, env }) => {
    execFileSync(process.execPath, [MAIN, 'init', '--workspace', project], {
      env: { ...process.env, ...env },
      stdio: 'pipe',
    });
  },
  start: (_modules, root) => [MAIN, '--workspace', root],
  read: (path) => ['read_file', { path }],
  write: (path, content) => ['write_file', { path, content }],
  run: (command) => ['execute_command', { command }],
  widen: ({ project }) => [
    'write_file',
    { path: join(project, 'permissions.yaml'), content: 'tools: { read_file: { allowed_paths: [/] } }\n' },
  ],
};

const OFFICIAL_SERVER: ComparedServer = {
  title: `${OFFICIAL.title} ${versionOf(OFFICIAL)}`,
  peer: OFFICIAL,
  // The folder is its argument.
  prepare: () => {},
  start: OFFICIAL.start,
  read: (path) => ['read_text_file', { path }],
  write: (path, content) => ['write_file', { path, content }],
};

const COMMANDER_SERVER: ComparedServer = {
  title: `${COMMANDER.title} ${versionOf(COMMANDER)}`,
  peer: COMMANDER,
  prepare: ({ project, home }) => {
    const folder = join(home, '.claude-server-commander');
    mkdirSync(folder, { recursive: true });
    const settings = { allowedDirectories: [project], telemetryEnabled: false };
    writeFileSync(join(folder, 'config.json'), JSON.stringify(settings));
  },
  start: COMMANDER.start,
  read: (path) => ['read_file', { path }],
  write: (path, content) => ['write_file', { path, content, mode: 'rewrite' }],
  run: (command) => ['start_process', { command, timeout_ms: 5000 }],
  widen: () => ['set_config_value', { key: 'allowedDirectories', value: ['/'] }],
};

export const COMPARED: readonly ComparedServer[] = [CASTELLAN, OFFICIAL_SERVER, COMMANDER_SERVER];

function versionOf({ spec }: PeerPackage): string {
  return spec.slice(spec.lastIndexOf('@') + 1);
}
