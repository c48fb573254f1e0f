import type { SandboxJob } from '../../../application/ports/command/command-sandbox.js';
import { MACOS_FOLDERS } from '../../../domain/permission/path/system-folders.js';

const SYSTEM = [
  ...MACOS_FOLDERS,
  '/private/etc/ssl',
  '/private/var/db/timezone',
  '/private/var/select',
  '/Applications/Xcode.app',
];
const DEVICES = ['/dev/null', '/dev/zero', '/dev/random', '/dev/urandom'];
const SERVICES = [
  'com.apple.system.opendirectoryd.libinfo',
  'com.apple.system.opendirectoryd.membership',
  'com.apple.system.notification_center',
  'com.apple.logd',
];

/**
 * The Seatbelt profile of one command. The last rule that matches decides, so what is taken away comes after
 * what is given. Written from Apple's published profiles; nobody has run it on a Mac yet.
 */
export function seatbeltProfile(job: SandboxJob, toolchains: readonly string[]): string {
  const { view, home, network } = job;
  const writable = [...view.write, home];
  return [
    '(version 1)',
    '(deny default)',
    '(allow process-exec)',
    '(allow process-fork)',
    '(allow signal (target same-sandbox))',
    '(allow process-info* (target same-sandbox))',
    '(allow sysctl-read)',
    '(allow file-read-metadata)',
    `(allow mach-lookup ${SERVICES.map((name) => `(global-name ${quoted(name)})`).join(' ')})`,
    '(allow file-read* (literal "/") (literal "/private/etc/passwd") (literal "/private/etc/group") (literal "/private/etc/localtime"))',
    allow('file-read*', [...SYSTEM, ...toolchains, ...view.read, ...writable]),
    `(allow file-read* file-write-data file-ioctl ${DEVICES.map((path) => `(literal ${quoted(path)})`).join(' ')})`,
    allow('file-write*', writable),
    deny('file-write*', [...view.readOnlyInside, ...(view.couldAppear ?? [])]),
    deny('file-read* file-write*', view.hide),
    deny('process-exec* file-read*', job.without ?? []),
    network === 'host'
      ? '(allow network-outbound (remote ip))\n(allow network-inbound (local ip))\n(allow system-socket)'
      : '(deny network*)',
  ]
    .filter((rule) => rule !== '')
    .join('\n');
}

function allow(operation: string, paths: readonly string[]): string {
  return paths.length === 0 ? '' : `(allow ${operation} ${subpaths(paths)})`;
}

function deny(operation: string, paths: readonly string[]): string {
  return paths.length === 0 ? '' : `(deny ${operation} ${subpaths(paths)})`;
}

function subpaths(paths: readonly string[]): string {
  return paths.map((path) => `(subpath ${quoted(path)})`).join(' ');
}

function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
