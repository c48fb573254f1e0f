type Entry = readonly [key: string, value: string];

/** Settings that run programs or redirect git to another repository, each with a harmless value. */
export const HARMLESS_SETTINGS: readonly Entry[] = [
  ['safe.bareRepository', 'explicit'],
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.pager', 'cat'],
  ['core.editor', 'true'],
  ['sequence.editor', 'true'],
  // Without a configuration file: ProxyCommand and the like run programs.
  ['core.sshCommand', 'ssh -F none'],
  ['ssh.variant', 'ssh'],
  ['core.askPass', ''],
  ['credential.helper', ''],
  ['protocol.ext.allow', 'never'],
  ['protocol.file.allow', 'never'],
  ['log.showSignature', 'false'],
  ['commit.gpgSign', 'false'],
  ['tag.gpgSign', 'false'],
  ['tag.forceSignAnnotated', 'false'],
  ['push.gpgSign', 'false'],
  ['merge.verifySignatures', 'false'],
  // %G? in a format verifies signatures.
  ['gpg.program', 'false'],
  ['gpg.openpgp.program', 'false'],
  ['gpg.x509.program', 'false'],
  ['gpg.ssh.program', 'false'],
  ['submodule.recurse', 'false'],
  ['status.submoduleSummary', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
];

/**
 * The same as variables, for settings that cannot be overridden because the first entry or all entries count.
 */
export const HARMLESS_GIT_VARIABLES: Readonly<Record<string, string>> = {
  GIT_SEQUENCE_EDITOR: 'true',
  GIT_ASKPASS: '',
  GIT_PROXY_COMMAND: '',
  // A repository of this machine has hooks and settings that our overrides do not reach.
  GIT_ALLOW_PROTOCOL: 'http:https:ssh:git',
};

/** Settings that matter only if they are set, with the harmless value. `*` stands for any name. */
const OVERRIDES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'core.*': { alternaterefscommand: 'true', gitproxy: '' },
  'filter.*': { clean: '', smudge: '', process: '', required: 'false' },
  'diff.*': { command: '', textconv: '', external: '' },
  'merge.*': { driver: 'false' },
  'remote.*': { uploadpack: 'git-upload-pack', receivepack: 'git-receive-pack', vcs: '', proxy: '' },
  'gpg.*': { program: 'false', defaultkeycommand: 'false' },
  'credential.*': { helper: '' },
  'http.*': { proxy: '', cookiefile: '', savecookies: 'false', curloptresolve: '' },
  'trailer.*': { command: 'true', cmd: 'true' },
  'interactive.*': { difffilter: 'cat' },
  'init.*': { templatedir: '' },
  'submodule.*': { update: 'none' },
  'man.*': { cmd: 'false', path: 'false', viewer: 'man' },
  'browser.*': { cmd: 'false', path: 'false' },
  'web.*': { browser: 'false' },
  'help.*': { browser: 'false' },
  'instaweb.*': { httpd: 'false', browser: 'false' },
  'mergetool.*': { cmd: 'false', path: 'false' },
  'difftool.*': { cmd: 'false', path: 'false' },
  'guitool.*': { cmd: 'false' },
  'tar.*': { command: 'cat' },
  'uploadpack.*': { packobjectshook: 'false' },
  'sendemail.*': { smtpserver: '/bin/false', tocmd: 'false', cccmd: 'false', headercmd: 'false' },
  'imap.*': { tunnel: 'false' },
};

/**
 * Overrides for the settings that git reports. Each driver has a name of its own and is switched off by it.
 */
export function overridesFor(keys: Iterable<string>): readonly Entry[] {
  const overrides = new Map<string, string>();
  for (const key of keys) {
    const [section, variable] = [key.slice(0, key.indexOf('.')), key.slice(key.lastIndexOf('.') + 1)];
    if (section === 'pager') overrides.set(key, 'false');
    const known = OVERRIDES[`${section}.*`] ?? {};
    if (Object.hasOwn(known, variable)) overrides.set(key, known[variable] ?? '');
    // A required filter that does nothing would be an error.
    if (section === 'filter') overrides.set(`${key.slice(0, key.lastIndexOf('.'))}.required`, 'false');
  }
  return [...overrides];
}

/** True for settings that rewrite addresses and cannot be overridden. */
export function redirectsAddresses(key: string): boolean {
  return /^url\..*\.(push)?insteadof$/s.test(key);
}
