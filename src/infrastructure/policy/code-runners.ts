/** Programs that run whatever code they are given. */
const RUNNERS: ReadonlySet<string> = new Set([
  ...['sh', 'bash', 'dash', 'zsh', 'ksh', 'fish', 'busybox'],
  ...['python', 'python2', 'python3', 'pypy3', 'node', 'nodejs', 'deno', 'bun', 'tsx', 'ts-node'],
  ...[
    'perl',
    'ruby',
    'php',
    'lua',
    'luajit',
    'tclsh',
    'osascript',
    'Rscript',
    'julia',
    'elixir',
    'erl',
    'ghci',
  ],
  ...['awk', 'gawk', 'mawk', 'nawk', 'sed', 'gdb', 'vim', 'vi', 'emacs', 'ed', 'ssh', 'eval', 'exec'],
]);

/** Programs that run code which a file of the workspace names. */
const BUILDERS: Readonly<Record<string, string>> = {
  npm: 'package.json',
  pnpm: 'package.json',
  yarn: 'package.json',
  npx: 'node_modules',
  make: 'Makefile',
  cmake: 'CMakeLists.txt',
  cargo: 'build.rs',
  go: 'the module’s own code',
  pytest: 'conftest.py',
  tox: 'tox.ini',
  gradle: 'build.gradle',
  mvn: 'pom.xml',
  rake: 'Rakefile',
  bundle: 'Gemfile',
  composer: 'composer.json',
  pip: 'setup.py',
  tsc: 'tsconfig.json plugins',
  eslint: 'its configuration',
  mocha: 'the tests',
  jest: 'the tests',
  vitest: 'the tests',
};

export function isCodeRunner(name: string): boolean {
  return RUNNERS.has(name) || /^(python|ruby|perl|php|lua|node)\d[\d.]*$/.test(name);
}

/** The file whose code the program runs, or undefined. */
export function codeSourceOf(name: string): string | undefined {
  return Object.hasOwn(BUILDERS, name) ? BUILDERS[name] : undefined;
}
