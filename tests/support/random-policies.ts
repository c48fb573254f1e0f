/** Small whole numbers from a seed: the same policies at every run. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  below(bound: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * bound);
  }

  happens(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error('nothing to pick');
    return item;
  }

  some<T>(items: readonly T[], most: number): T[] {
    const chosen = new Set<T>();
    for (let left = 1 + this.below(most); left > 0; left -= 1) chosen.add(this.pick(items));
    return [...chosen];
  }
}

type Plain = Record<string, unknown>;

const PLACES = [
  '.',
  'src',
  './docs',
  'src/gen',
  'private',
  'data/**/*.csv',
  '**/*.sqlite',
  'src/*.ts',
  '/srv',
  '.env',
  '.github/workflows',
  'src/{a,b}',
  'notes?.txt',
  '~/shared',
];
const COMMANDS: readonly unknown[] = [
  'ls',
  'id',
  'cat',
  'make',
  { command: ['git', ['status', 'log']] },
  'git',
  { command: ['git'], any: ['--force', '-f'] },
  'npm',
  { command: ['npm', ['test', 'run']] },
  { command: ['npm', 'ci'], network: 'full', consent: 'ask', remember: '15m' },
  'docker',
  { command: ['docker', 'ps'], interpreter: true },
  { command: 'python3', interpreter: true },
  { command: ['curl', '--version'], consent: 'always' },
];
const DENIED: readonly unknown[] = [
  'curl',
  { command: ['git', 'push'] },
  { command: 'npm', except: [['npm', 'test']] },
  'docker',
  { command: ['git', '*'], any: ['--force'] },
];
const READERS = ['read_file', 'list_directory', 'file_info'];
const WRITERS = ['write_file', 'edit_file', 'delete_path'];
const PLAIN = ['echo', 'system_info', 'get_tool_stats', 'set_feature_flag'];
const MODES = ['never', 'ask', 'always', 'explicit'];
/** Of a tool; one in ten refuses. */
const TOOL_MODES = [...MODES, ...MODES, 'deny', { mode: 'ask', via: ['terminal'] }];

/** Keys that change no decision here; a policy has some of them. */
const ASIDE: readonly Plain[] = [
  { redaction: { builtin: ['aws'], patterns: [{ name: 'x', regex: 'x+', replace: 'y' }], results: true } },
  { audit: { required_for: ['write_file'], arguments: 'shape' } },
  { 'x-note': 'mine' },
  {
    defaults: {
      limits: { timeout: 30, max_output_bytes: '1MiB', concurrency: 4 },
      rate: { per: 'instance', limit: '60/min', burst: 5 },
    },
  },
  { defaults: { circuit_breaker: { failures: 3, open_for: '10s' }, consent_unavailable: 'deny' } },
  { tests: [{ name: 'never', tool: 'read_file', args: { path: '/proc/1/mem' }, expect: 'deny' }] },
];

function pathRules(dice: Dice): unknown[] {
  return dice
    .some(PLACES, 3)
    .map((path) =>
      dice.happens(15) ? { path, consent: dice.pick(['ask', 'always']), id: 'a', why: 'b' } : path,
    );
}

function deniedPaths(dice: Dice): unknown[] {
  return dice
    .some(
      PLACES.filter((path) => path !== '.'),
      2,
    )
    .map((path) => (dice.happens(25) && !/[*?{]/.test(path) ? { path, except: [`${path}/open`] } : path));
}

function fileTool(dice: Dice): Plain {
  return {
    ...(dice.happens(90) && { allowed_paths: pathRules(dice) }),
    ...(dice.happens(35) && { denied_paths: deniedPaths(dice) }),
    ...(dice.happens(25) && { consent: dice.pick(TOOL_MODES) }),
    ...(dice.happens(10) && { arguments: { path: { type: 'string', maxLength: 400 } } }),
    ...(dice.happens(5) && { enabled: false }),
  };
}

/** Those that can write a protected file by its name. */
function editingTool(dice: Dice): Plain {
  return { ...fileTool(dice), ...(dice.happens(30) && { protected: dice.pick(['ask', 'deny']) }) };
}

function commandTool(dice: Dice): Plain {
  const any = dice.happens(25);
  const denied = dice.happens(45) && { denied_commands: dice.some(DENIED, 2) };
  return {
    allowed_commands: any
      ? ['*', ...(dice.happens(40) ? [dice.pick(COMMANDS.slice(8, 9))] : [])]
      : dice.some(COMMANDS, 4),
    ...denied,
    ...(dice.happens(15) && { consent: dice.pick(TOOL_MODES) }),
    ...(dice.happens(30) && { sandbox: dice.pick(['workspace', 'readonly', 'own', 'none']) }),
    ...(dice.happens(20) && { shell: any ? 'full' : dice.pick(['static', 'none']) }),
    ...(dice.happens(10) && { network: 'full' }),
    ...(dice.happens(10) && { env: { pass: ['LANG'], set: { A: 'b' }, accept: ['TERM'] } }),
    ...(dice.happens(10) && { background: { max: 2, ttl: '1h' } }),
    ...(dice.happens(10) && { git_may_restore: true }),
  };
}

function toolsOf(dice: Dice): Plain {
  const tools: Plain = {};
  for (const name of [...READERS, ...WRITERS]) {
    if (!dice.happens(45)) continue;
    tools[name] = name === 'write_file' || name === 'edit_file' ? editingTool(dice) : fileTool(dice);
  }
  for (const name of PLAIN) {
    if (dice.happens(20))
      tools[name] = {
        ...(dice.happens(50) && { consent: dice.pick(TOOL_MODES) }),
        ...(dice.happens(20) && { enabled: false }),
      };
  }
  if (dice.happens(15)) {
    tools.search_content = { allowed_paths: ['src'], arguments: { query: { minLength: 1, pattern: '.*' } } };
    tools.read_files = { allowed_paths: ['src'], arguments: { paths: { maxItems: 9 } } };
    tools.claude_conversation = {
      allowed_hosts: ['a.example.com'],
      arguments: { model: { enum: ['a', 'b'] }, max_tokens: { minimum: 1, maximum: 9 } },
    };
  }
  if (dice.happens(60)) tools.execute_command = commandTool(dice);
  for (const group of ['files.read', 'files.write']) {
    if (!dice.happens(25)) continue;
    tools[group] = dice.happens(60)
      ? { allowed_paths: dice.some(PLACES, 3) }
      : { denied_paths: deniedPaths(dice) };
  }
  return tools;
}

function rolesOf(dice: Dice): Plain {
  const readers = { tools: dice.some([...READERS, 'echo', 'execute_command'], 4) };
  return {
    principals: [
      { match: { transport: ['stdio'] }, roles: ['one'] },
      {
        match: { api_key: `sha256:${'0'.repeat(64)}` },
        roles: ['two', 'default'],
        ...(dice.happens(30) && { workspace: './teams/x' }),
      },
    ],
    roles: {
      one: { tools: ['*'], ...(dice.happens(50) && { denied_tools: dice.some([...WRITERS, 'echo'], 2) }) },
      two: dice.happens(50) ? readers : { inherits: ['one'], denied_tools: ['execute_command'] },
    },
  };
}

const ADDED: readonly Plain[] = [
  { tool: 'read_file', path: '.env' },
  { tool: 'read_file', path: '/opt/x' },
  { tool: 'write_file', path: '.github/workflows/a.yml' },
  { tool: 'execute_command', command: ['id', '-u'] },
  { tool: 'claude_conversation', host: 'b.example.com' },
];

const OWN = {
  own: {
    filesystem: { read: ['src'], write: ['docs'], hide: ['**/*.log'] },
    seccomp: 'none',
    new_privileges: false,
  },
};

/** A policy as an object; not every one loads. */
export function randomPolicy(seed: number): Plain {
  const dice = new Dice(seed);
  const aside = dice.happens(50) ? dice.pick(ASIDE) : {};
  const tools = toolsOf(dice);
  const defaults = { ...(aside.defaults ?? {}), ...(dice.happens(10) && { consent: dice.pick(MODES) }) };
  return {
    version: 1,
    extends: dice.happens(80) ? [`builtin:${dice.pick(['baseline', 'readonly', 'workspace'])}`] : [],
    ...aside,
    ...(Object.keys(defaults).length > 0 && { defaults }),
    ...(JSON.stringify(tools).includes('"own"') && { sandboxes: OWN }),
    ...(dice.happens(20) && rolesOf(dice)),
    tools,
    ...(dice.happens(20) && { also_allow: dice.some(ADDED, 2) }),
  };
}
