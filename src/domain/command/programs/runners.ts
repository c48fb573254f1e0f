import { type CommandWord, wordText } from '../command-plan.js';
import { isShell } from '../shell-invocation.js';

/**
 * The catalogue of programs that run others. Allowing one by name would allow everything, so its rule must
 * say `interpreter: true`; denies consider every word it might start. Wrappers that are opened and checked by
 * what they run are in wrapper-grammar.ts.
 */

/**
 * Programs that execute code from their arguments, a file or their input. Any version may follow the name.
 */
const LANGUAGES =
  'python pypy ipython jython micropython node nodejs deno bun qjs perl ruby irb jruby php lua luajit tclsh wish osascript Rscript R julia guile racket sbcl clisp scheme chicken-csi scala groovy jshell java jrunscript kotlin swift elixir iex erl escript ghci runghc runhaskell ocaml utop raku pwsh powershell tsx ts-node babel-node coffee fish csh tcsh nu xonsh elvish osh awk gawk mawk nawk bc dc sqlite duckdb gdb lldb m4 gnuplot octave maxima gp sage scilab matlab forth gforth nix-shell nix-repl ansible ansible-playbook psql mysql mariadb mongo mongosh cqlsh ipdb pdb dtrace bpftrace stap';

/** Programs that take a command line and run it, by how they do it. */
const RUNNERS: Readonly<Record<string, string>> = {
  packages:
    'npx bunx pnpx uvx pipx cross-env cross-env-shell env-cmd dotenv dotenvx dotenv-cli concurrently npm-run-all run-s run-p nodemon rushx wsrun foreman honcho overmind goreman hivemind aws-vault chamber teller',
  watching:
    'parallel sem entr watchexec watchman-make when-changed hyperfine chronic at batch crontab anacron run-parts multitime',
  tracing: 'strace ltrace valgrind perf uftrace rr heaptrack catchsegv sotruss gdbserver coredumpctl',
  terminals:
    'script scriptreplay expect unbuffer autoexpect rlwrap screen tmux dtach abduco zellij xterm urxvt gnome-terminal konsole alacritty kitty foot ttyd socat nc ncat netcat busybox toybox',
  elsewhere:
    'docker docker-compose podman podman-compose nerdctl buildah crun runc kubectl oc k9s helm lxc lxc-execute incus vagrant flatpak flatpak-spawn snap distrobox toolbox systemd-nspawn apptainer singularity machinectl',
  confinement:
    'bwrap firejail proot proot-distro fakeroot fakeroot-sysv fakeroot-tcp fakechroot pseudo nsjail minijail0 schroot arch-chroot chroot unshare nsenter cgexec qemu-x86_64 qemu-aarch64 wine box64',
  users:
    'su runuser sg newgrp pkexec run0 gosu su-exec setpriv capsh runcon setuidgid chpst softlimit envuidgid envdir sudoedit systemd-run systemd-inhibit dbus-run-session dbus-launch xvfb-run xinit startx ssh-agent gpg-agent keychain start-stop-daemon daemonize daemon tini dumb-init catatonit setlock runsv s6-setuidgid s6-setlock s6-envdir with-contenv execlineb',
  circumstances:
    'setarch linux32 linux64 i386 i486 i586 i686 x86_64 uname26 numactl hwloc-bind choom eatmydata faketime datefudge torsocks torify proxychains proxychains4 tsocks nocache cpulimit uclampset coresched trickle catchsegv prime-run optirun gamemoderun mangohud ccache distcc icecc sccache bear scan-build intercept-build libtool',
  remote:
    'ssh mosh autossh sshpass ssh-copy-id rsh rexec pssh parallel-ssh pdsh clush dsh scp sftp ftp lftp telnet tsh adb',
  editors:
    'vi vim nvim ex view ed red emacs emacsclient nano pico joe jed mcedit mc micro hx kak ne vimdiff vimtutor sensible-editor editor sensible-pager pager sensible-browser xdg-open open run-mailcap w3m lynx links elinks mutt mail mailx',
  loaders:
    'ld.so ldd rundll32 xdg-mime dpkg-reconfigure update-initramfs debconf git-shell git-upload-pack git-receive-pack git-upload-archive git-remote-ext git-cvsserver gitk git-gui tig lazygit hg-ssh svnserve',
};

const RUNNER_NAMES: ReadonlySet<string> = new Set(
  Object.values(RUNNERS).flatMap((names) => names.split(' ')),
);
/** Programs that start a local program named in their words. */
const LOCAL_RUNNER_NAMES: ReadonlySet<string> = new Set(
  [
    'packages',
    'watching',
    'tracing',
    'terminals',
    'confinement',
    'users',
    'circumstances',
    'loaders',
  ].flatMap((kind) => (RUNNERS[kind] ?? '').split(' ')),
);
const LANGUAGE_NAMES: ReadonlySet<string> = new Set(LANGUAGES.split(' '));
const VERSION = /[-.]?[0-9][0-9.]*(\.exe)?$|\.exe$/;
const LOADER = /^ld(-linux|-musl|[0-9-])?[\w.-]*\.so(\.[0-9]+)*$/;

/**
 * Returns true for a program that runs any code in its arguments or input: allowing it by name allows
 * everything.
 */
export function isInterpreter(name: string): boolean {
  const known = judged.get(name) ?? judge(name);
  if (judged.size >= MAX_JUDGED) judged.clear();
  judged.set(name, known);
  return known;
}

const MAX_JUDGED = 1_000;
const judged = new Map<string, boolean>();

function judge(name: string): boolean {
  if (isShell(name) || RUNNER_NAMES.has(name) || LANGUAGE_NAMES.has(name)) return true;
  return LANGUAGE_NAMES.has(name.replace(VERSION, '')) || LOADER.test(name);
}

/** Returns true for a program that starts a local program named in its words. */
export function startsNamedProgram(name: string): boolean {
  return LOCAL_RUNNER_NAMES.has(name) || LOADER.test(name);
}

/** Programs that run another one under some of their subcommands. */
const RUNNING_SUBCOMMANDS: Readonly<Record<string, string>> = {
  npm: 'exec x explore edit create innit init+ config c set',
  pnpm: 'exec dlx create config c set',
  yarn: 'exec dlx node create config set',
  bundle: 'exec open',
  gem: 'exec open',
  poetry: 'run shell',
  pipenv: 'run shell open',
  uv: 'run tool',
  hatch: 'run shell',
  pdm: 'run',
  rye: 'run',
  conda: 'run',
  mamba: 'run',
  micromamba: 'run',
  cargo: 'script',
  rustup: 'run',
  go: 'run tool',
  dotnet: 'exec script fsi',
  nix: 'run shell develop eval repl',
  mise: 'exec x run shell',
  asdf: 'exec',
  rbenv: 'exec',
  pyenv: 'exec',
  nodenv: 'exec',
  volta: 'run',
  fnm: 'exec',
  direnv: 'exec',
  op: 'run',
  doppler: 'run',
  nx: 'exec',
  lerna: 'exec',
  composer: 'exec',
  mix: 'run eval cmd',
  opam: 'exec',
  stack: 'exec runghc runhaskell ghc ghci script',
  cabal: 'exec run repl',
  dune: 'exec utop',
  heroku: 'run ps:exec',
  fly: 'ssh console',
  gh: 'alias extension',
  zig: 'run',
  crystal: 'run eval',
  nim: 'r e secret',
};

/** The index of the subcommand that runs another program; undefined if there is none. */
export function runningSubcommandAt(name: string, args: readonly CommandWord[]): number | undefined {
  const running = RUNNING.get(name);
  if (running === undefined) return undefined;
  const words = args.map(wordText);
  for (const [index, word] of words.entries()) {
    if (running.some((one) => isRunning(name, one, words.slice(index)))) return index;
    // An option may have a value: one word after it proves nothing.
    if (!/^[-+]/.test(word) && !/^-/.test(words[index - 1] ?? '')) return undefined;
  }
  return undefined;
}

const RUNNING: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(RUNNING_SUBCOMMANDS).map(([name, subcommands]) => [name, subcommands.split(' ')]),
);

/** npm accepts prefixes of its subcommands, except those that are names of others. */
const OTHER_NAMES = new Set(['in', 'c', 'ci', 'ex', 'se']);

function isRunning(name: string, subcommand: string, [word = '', ...rest]: readonly string[]): boolean {
  const whole = subcommand.replace('+', '');
  const abbreviated = name === 'npm' && word.length > 1 && !OTHER_NAMES.has(word) && whole.startsWith(word);
  if (word !== whole && !abbreviated) return false;
  if (/^(config|c)$/.test(whole)) return !/^(get|ls|list)$/.test(rest[0] ?? 'list');
  // npm init alone asks for a name; with a name it runs that package.
  return !subcommand.endsWith('+') || rest.some((one) => !one.startsWith('-'));
}

/** The subcommands of a program that run others, for the policy lint. */
export function runningSubcommands(name: string): readonly string[] {
  return Object.hasOwn(RUNNING_SUBCOMMANDS, name)
    ? (RUNNING_SUBCOMMANDS[name] ?? '').replace('+', '').split(' ')
    : [];
}
