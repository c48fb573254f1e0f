/** Installs the programs that the tests need beside Node, where this machine lets us. Says what it could not. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Each program with the Debian package that has it and the suites that fail without it. */
const NEEDED = [
  { program: 'bwrap', debian: 'bubblewrap', suites: 'the sandbox and commands' },
  { program: 'redis-server', debian: 'redis-server', suites: 'flags in Redis' },
  { program: 'git', debian: 'git', suites: 'commands and .gitignore' },
  { program: 'openssl', debian: 'openssl', suites: 'Redis over TLS' },
  { program: 'zsh', debian: 'zsh', suites: 'completion in zsh' },
  { program: 'fish', debian: 'fish', suites: 'completion in fish' },
  { program: 'chromium', debian: 'chromium', suites: 'the console in a browser' },
  // What agents type on the machine of a developer.
  ...[
    ['rg', 'ripgrep'],
    ['jq', 'jq'],
    ['python3', 'python3'],
    ['make', 'make'],
    ['gcc', 'gcc'],
    ['strings', 'binutils'],
    ['bc', 'bc'],
    ['file', 'file'],
    ['xxd', 'xxd'],
    ['column', 'bsdextrautils'],
    ['curl', 'curl'],
    ['patch', 'patch'],
    ['ps', 'procps'],
  ].map(([program = '', debian = '']) => ({ program, debian, suites: 'honest work' })),
];

function isThere(program: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));
}

const missing = NEEDED.filter(({ program }) => !isThere(program));
if (missing.length > 0 && process.getuid?.() === 0 && isThere('apt-get')) {
  const packages = missing.map(({ debian }) => debian);
  console.error(`Installing with apt-get, for the tests and nothing else: ${packages.join(', ')}`);
  for (const { program, suites } of missing) console.error(`  ${program}: ${suites}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit', env });
  spawnSync('apt-get', ['install', '-y', '-qq', ...packages], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env,
  });
}
/** Only unpacked: installing the package would start a server. */
const PROMETHEUS = join('node_modules', '.cache', 'prometheus');
if (!isThere('promtool') && !existsSync(PROMETHEUS) && isThere('apt-get') && isThere('dpkg-deb')) {
  mkdirSync(PROMETHEUS, { recursive: true });
  const quiet = { cwd: PROMETHEUS, stdio: 'ignore' as const, timeout: 60_000 };
  spawnSync('apt-get', ['download', 'prometheus'], quiet);
  for (const name of readdirSync(PROMETHEUS)) spawnSync('dpkg-deb', ['-x', name, '.'], quiet);
  const got = existsSync(join(PROMETHEUS, 'usr', 'bin', 'promtool'));
  console.error(`promtool: ${got ? 'unpacked from' : 'could not be had from'} the package prometheus.`);
}
for (const { program, debian, suites } of missing.filter(({ program }) => !isThere(program))) {
  console.error(`${program} is missing (package ${debian}): the tests of ${suites} will fail and say so.`);
}
