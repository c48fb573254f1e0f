import { existsSync, readFileSync } from 'node:fs';
import { release } from 'node:os';
import type { CommandOutcome, SandboxJob } from '../../../application/ports/command/command-sandbox.js';
import { CANNOT_LOOK } from './namespace-helper.js';

export interface HostFacts {
  readonly release: string;
  readonly apparmorRestricts: boolean;
  readonly userNamespacesOff: boolean;
  readonly inContainer: boolean;
}

export interface Diagnosis {
  readonly reason: string;
  readonly remedy: string;
}

export function readHostFacts(): HostFacts {
  return {
    release: release(),
    apparmorRestricts: setting('kernel/apparmor_restrict_unprivileged_userns') === '1',
    userNamespacesOff:
      setting('kernel/unprivileged_userns_clone') === '0' || setting('user/max_user_namespaces') === '0',
    inContainer: ['/.dockerenv', '/run/.containerenv'].some((path) => existsSync(path)),
  };
}

function setting(name: string): string | undefined {
  try {
    return readFileSync(`/proc/sys/${name}`, 'utf8').trim();
  } catch {
    // This kernel does not have the switch.
    return undefined;
  }
}

export const BWRAP_MISSING: Diagnosis = {
  reason: 'bubblewrap (the program bwrap) is not installed.',
  remedy:
    'Install the package bubblewrap: apt install bubblewrap, dnf install bubblewrap, pacman -S bubblewrap or apk add bubblewrap.',
};

export function architectureUnknown(architecture: string): Diagnosis {
  return {
    reason: `There is no system call filter for the architecture ${architecture}.`,
    remedy: 'Run the server on x86-64 or arm64.',
  };
}

export const UNSHARE_MISSING: Diagnosis = {
  reason: 'The server runs as root and the program unshare, which limits what root may start, is missing.',
  remedy: 'Install the package util-linux, or run the server as an ordinary user.',
};

/** Why bwrap is there and does not work. */
export function diagnose(stderr: string, facts: HostFacts): Diagnosis {
  const said = stderr.trim().split('\n')[0]?.slice(0, 300) ?? '';
  if (stderr.includes(CANNOT_LOOK)) {
    return {
      reason: CANNOT_LOOK,
      remedy: 'Start the container with --cap-add SYS_PTRACE, or run the server as an ordinary user.',
    };
  }
  if (/Microsoft$/.test(facts.release)) {
    return {
      reason: 'This is WSL 1, whose kernel has no namespaces.',
      remedy: 'Move the distribution to WSL 2: wsl --set-version DISTRIBUTION 2.',
    };
  }
  if (facts.inContainer) {
    return {
      reason: `The container does not permit user namespaces (${said}).`,
      remedy:
        'Start it with a seccomp profile that allows them, for example docker run --security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined, or run the server outside the container.',
    };
  }
  if (facts.apparmorRestricts) {
    return {
      reason: `AppArmor restricts user namespaces on this system, as Ubuntu does since 24.04 (${said}).`,
      remedy:
        'Install the profile that permits bwrap: apt install apparmor-profiles, then ln -s /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/ and systemctl reload apparmor. Or lift it for all: sysctl kernel.apparmor_restrict_unprivileged_userns=0.',
    };
  }
  if (facts.userNamespacesOff) {
    return {
      reason: `User namespaces are switched off on this system (${said}).`,
      remedy: 'sysctl kernel.unprivileged_userns_clone=1 user.max_user_namespaces=15000',
    };
  }
  return {
    reason: `bwrap could not make a sandbox: ${said || 'it gave no reason'}.`,
    remedy: 'Run bwrap --unshare-all --ro-bind / / true in a terminal to see the cause.',
  };
}

const PROBE_PROCESSES = 41;

/** Shows from inside what the sandbox is. */
export function probeJob(stateFolder: string): SandboxJob {
  const size = 1024 * 1024 * 1024;
  return {
    program: { kind: 'argv', file: '/bin/cat', args: ['/proc/self/limits', '/proc/self/status'] },
    cwd: '/',
    env: {},
    view: { read: [], write: [], hide: [], readOnlyInside: [] },
    home: `${stateFolder}/probe`,
    network: 'none',
    systemCalls: 'filtered',
    limits: {
      timeoutMs: 10_000,
      maxOutputBytes: 16_384,
      memoryBytes: size,
      processes: PROBE_PROCESSES,
      openFiles: 64,
      cpuSeconds: 10,
      fileBytes: size,
      tmpBytes: 1024 * 1024,
    },
  };
}

/** A sandbox that starts and does not limit or filter is none. */
export function checkProbe({ exitCode, stdout, stderr }: CommandOutcome): string | undefined {
  if (exitCode !== 0) return stderr;
  const processes = /^Max processes +(\S+) /m.exec(stdout)?.[1];
  if (processes === undefined) return 'it does not say what its limits are';
  if (!(Number(processes) < 2 * PROBE_PROCESSES)) return 'its limits have no effect';
  return /^Seccomp:\s+2$/m.test(stdout) ? undefined : 'its system call filter has no effect';
}
