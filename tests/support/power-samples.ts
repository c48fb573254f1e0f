import type { LoadedPolicy } from '../../src/infrastructure/policy/load-policy.js';
import { decide, verdict } from './policy-bench.js';
import { PowerReader } from './power-reader.js';
import type { Dice } from './random-policies.js';

const SAMPLES = 24;

const PATHS = [
  'README.md',
  'src/a.ts',
  'src/a/x.ts',
  'src/gen/b.ts',
  'src/gen/open/b.ts',
  'docs/x.md',
  'private/k',
  'private/open/k',
  'data/raw/a.csv',
  'data/a.sqlite',
  'notes1.txt',
  '.env',
  '.env.local',
  '.github/workflows/ci.yml',
  '.github/workflows/a.yml',
  '.git/hooks/x',
  'node_modules/a/.vscode/tasks.json',
  'node_modules/a/.env',
  '/srv/a',
  '/srv/open/a',
  '/etc/hosts',
  '/opt/x',
  '/home/user/shared/a',
  '/home/user/.ssh/id_rsa',
];
const LINES = [
  'ls',
  'id',
  'id -u',
  'cat src/a.ts',
  'cat private/k',
  'cat data/raw/a.csv',
  'cat README.md',
  'make',
  'git status',
  'git log',
  'git push',
  'git push --force',
  'npm test',
  'npm ci',
  'npm publish',
  'docker ps',
  'docker images',
  'python3 --version',
  'curl --version',
  'unknown-program',
];
const READERS = ['read_file', 'list_directory', 'file_info'];
const WRITERS = ['write_file', 'edit_file', 'delete_path'];
const PLAIN = ['echo', 'system_info', 'get_tool_stats', 'set_feature_flag'];

type Ask = readonly [tool: string, args: Record<string, unknown>, told: (reader: PowerReader) => string];

/** Folders that lead to others are listed. */
const FOLDERS = ['/workspace', 'src', '/home'];

function sampleOf(dice: Dice): Ask {
  const path = dice.pick(PATHS);
  switch (dice.below(6)) {
    case 0: {
      const command = dice.pick(LINES);
      return ['execute_command', { command }, (reader) => reader.command(command)];
    }
    case 5: {
      // A hook judges a client's shell as execute_command.
      const command = dice.pick(LINES);
      return ['execute_command', { command }, (reader) => reader.commandByHook(command)];
    }
    case 1: {
      const tool = dice.pick(PLAIN);
      return [tool, {}, (reader) => reader.call(tool)];
    }
    case 2:
    case 3: {
      const tool = dice.pick(READERS);
      const read = dice.happens(20) ? dice.pick(FOLDERS) : path;
      return [
        tool,
        { path: read },
        (reader) => reader.path(tool, 'read', read.startsWith('/') ? read : `/workspace/${read}`),
      ];
    }
    default: {
      const tool = dice.pick(WRITERS);
      return [
        tool,
        { path },
        (reader) =>
          reader.path(
            tool,
            tool === 'edit_file' ? 'read and change' : 'change',
            path.startsWith('/') ? path : `/workspace/${path}`,
          ),
      ];
    }
  }
}

/** The lines of a role, without its name; of a policy without roles, all of them. */
function linesFor(lines: readonly string[], role: string | undefined): readonly string[] {
  if (role === undefined) return lines;
  return lines
    .filter((line) => line.startsWith(`as ${role}: `))
    .map((line) => line.slice(`as ${role}: `.length));
}

interface Found {
  readonly wrong: readonly string[];
  readonly asked: number;
  readonly refused: number;
}

/** Every sampled call, decided by the policy and read from the statement: the two must agree. */
export function compareStatement(loaded: LoadedPolicy, lines: readonly string[], dice: Dice): Found {
  const names = [...loaded.layer.roles.keys()];
  const wrong: string[] = [];
  let refused = 0;
  let asked = 0;
  for (const role of names.length === 0 ? [undefined] : names) {
    const reader = new PowerReader(linesFor(lines, role));
    wrong.push(...reader.unread.map((line) => `not understood: ${line}`));
    for (let left = SAMPLES; left > 0; left -= 1) {
      const [tool, args, told] = sampleOf(dice);
      const decision = decide(loaded.snapshot.policy, tool, args, { roles: [role ?? 'default'] });
      const decided = verdict(decision).replace(/^deny .*/, 'deny');
      asked += 1;
      refused += decided === 'deny' ? 1 : 0;
      const said = told(reader);
      if (said !== decided)
        wrong.push(
          `${role ?? ''} ${tool} ${JSON.stringify(args)}: decided ${verdict(decision)}, the statement says ${said}`,
        );
    }
  }
  return { wrong, asked, refused };
}
