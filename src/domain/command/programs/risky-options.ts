import type { Failure } from '../../result.js';
import { type CommandRefusal, type CommandWord, wordText } from '../command-plan.js';
import { hazard } from '../command-refusal.js';
import { givesFlag } from './flags.js';

/**
 * Programs of which we know only the options that run code or another program chosen by the caller. Allowing
 * one by name accepts everything else it does: curl may save its download wherever the sandbox is writable.
 */
const NODE_PACKAGES =
  '--script-shell --node-options --shell --editor --viewer --browser --git --init-module --userconfig --globalconfig --onload-script';
const COMPILER = '-B -wrapper -fplugin -specs --specs -dumpspecs -fplugin-arg -Xclang';
const BINUTILS = '--plugin';

const RISKY_OPTIONS: Readonly<Record<string, string>> = {
  npm: NODE_PACKAGES,
  pnpm: `${NODE_PACKAGES} --pnpmfile --global-pnpmfile --config`,
  yarn: `${NODE_PACKAGES} --use-yarnrc --plugin`,
  make: '--eval -E -f --file --makefile -I --include-dir',
  gmake: '--eval -E -f --file --makefile -I --include-dir',
  cmake: '-P -E -C --build-tool',
  ninja: '-f',
  go: '-exec -toolexec -vettool -overlay -modfile',
  cargo: '--config -Z',
  pip: '--python --config-settings --global-option --build-option',
  pytest: '-p -c --confcutdir --rootdir --import-mode --pdb --pdbcls --override-ini -o',
  mocha: '--require -r --import --config --package --opts --loader --node-option -n',
  jest: '--config --setupFiles --setupFilesAfterEnv --globalSetup --globalTeardown --testRunner --runner --resolver --transform --rootDir --preset',
  vitest: '--config --root --globalSetup --runner',
  eslint: '--config -c --rulesdir --resolve-plugins-relative-to --parser --plugin --init',
  prettier: '--plugin --config --plugin-search-dir',
  gradle: '-I --init-script -b --build-file -c --settings-file',
  mvn: '-f --file -s --settings -gs --toolchains',
  ant: '-f -file -buildfile -lib -listener -logger -inputhandler -propertyfile',
  rake: '-f --rakefile -r --require -e -p -E --execute --execute-print --execute-continue -I --libdir -R --rakelibdir',
  bundle: '--gemfile',
  protoc: '--plugin',
  gcc: COMPILER,
  'g++': COMPILER,
  cc: COMPILER,
  'c++': COMPILER,
  clang: COMPILER,
  'clang++': COMPILER,
  ld: `${BINUTILS} -plugin`,
  ar: BINUTILS,
  nm: BINUTILS,
  ranlib: BINUTILS,
  objdump: BINUTILS,
  strip: BINUTILS,
  split: '--filter',
  install: '--strip-program',
  zip: '-TT --unzip-command -T --test',
  patch: '-e --ed --get -g',
  diff3: '--diff-program',
  sdiff: '--diff-program -o --output',
  curl: '-K --config --engine',
  wget: '-e --execute --use-askpass --config',
  nmap: '--script --interactive --script-args-file --datadir -oN -oX -oS -oG -oA --resume',
  tcpdump: '-z -w --postrotate-command',
  ag: '--pager',
  ack: '--pager --ackrc',
  bat: '--pager --config-file --map-syntax-file',
  delta: '--pager --config',
  ctags: '--options --options-maybe --optlib-dir',
  cscope: '-F -s',
  pandoc: '--filter -F --lua-filter -L --pdf-engine --pdf-engine-opt --defaults -d --data-dir',
  pdflatex:
    '--shell-escape -shell-escape --enable-write18 -enable-write18 -output-directory --output-directory -fmt',
  xelatex:
    '--shell-escape -shell-escape --enable-write18 -enable-write18 -output-directory --output-directory -fmt',
  latexmk: '-e -r -pdflatex -latex -pvc -shell-escape',
  gpg: '--photo-viewer --exec-path --agent-program --dirmngr-program --keyserver-options --load-extension --options --homedir --pinentry-mode',
  openssl: 'engine -engine -provider -provider-path -config',
  apt: '-o --option -c --config-file',
  'apt-get': '-o --option -c --config-file',
  dpkg: '--pre-invoke --post-invoke --status-logger --root --admindir --instdir',
  rpm: '--eval -E --pipe --define -D --load --rcfile --macros --root',
  hg: '--config --config-file --debugger --profile -R --repository --cwd',
  svn: '--diff-cmd --diff3-cmd --editor-cmd --config-dir --config-option',
  psql: '-c --command -f --file -o --output',
  yq: '-i --inplace --split-exp -s --from-file',
  ffmpeg: '-filter_script -init_hw_device',
  dig: '-f',
  logger: '-f --file -u --socket',
  iconv: '-o --output',
  shuf: '-o --output --random-source',
  csplit: '-f --prefix',
  ptx: '-o --only-file',
};

/** For these programs a single dash starts a long name or a letter with its value, never several letters. */
const SINGLE_DASH = new Set(
  'cmake gcc g++ cc c++ clang clang++ ld mvn ant gradle go nmap openssl pdflatex xelatex latexmk ffmpeg'.split(
    ' ',
  ),
);
const MAKES = new Set(['make', 'gmake']);
/** Assignments that certainly choose neither a program nor an option of one. */
const PLAIN_ASSIGNMENT =
  /^(?!(?:AR|AS|CC|CXX|CPP|FC|LD|M2C|PC|CO|GET|LEX|YACC|LINT|MAKE\w*|TEX\w*|C?WEAVE|C?TANGLE|RM|OBJC|SHELL\w*|GNUMAKE\w*|COMSPEC|VPATH|\w*FLAGS|\w*CMD|\w*PROG(?:RAM)?)=)[A-Za-z_]\w*=[\w.,:+@%-]*$/;

export function checkRiskyOptions(
  name: string,
  args: readonly CommandWord[],
): Failure<CommandRefusal> | undefined {
  const listed = Object.hasOwn(RISKY_OPTIONS, name) ? RISKY_OPTIONS[name] : undefined;
  if (listed === undefined) return undefined;
  const flags = listed.split(' ');
  for (const word of args) {
    const text = wordText(word);
    const flag = flags.find((candidate) => gives(name, text, candidate));
    if (flag !== undefined) return risky(name, text, `may be ${flag}, which brings code or files of its own`);
    if (
      MAKES.has(name) &&
      text.includes('=') &&
      !PLAIN_ASSIGNMENT.test(text.replace(/^--?[\w-]+=\S*$/, 'x='))
    )
      return risky(name, text, 'may run what it names');
  }
  return undefined;
}

function gives(name: string, word: string, flag: string): boolean {
  if (!SINGLE_DASH.has(name) || flag.length > 2) return givesFlag(word, flag);
  return word.startsWith(flag);
}

function risky(name: string, word: string, why: string): Failure<CommandRefusal> {
  return hazard(
    `${name} ${word.slice(0, 60)} ${why}`,
    `leave it out, or ask for a rule that allows every program in the sandbox (["*"])`,
  );
}
