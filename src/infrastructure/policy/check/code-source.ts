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

/** The file whose code the program runs, or undefined. */
export function codeSourceOf(name: string): string | undefined {
  return Object.hasOwn(BUILDERS, name) ? BUILDERS[name] : undefined;
}
