import { realpathSync } from 'node:fs';
import { isInside } from '../../domain/permission/path/normal-path.js';
import type { PolicyLayer } from '../../domain/permission/policy/policy-layer.js';
import type { PathBase } from './compile/resolve-pattern.js';

/** Whether commands under this policy could change the file, were it not covered. */
export function commandsMayWrite(layer: PolicyLayer, file: string): boolean {
  const names = [file, realNameOf(file)];
  return [...layer.tools.values()].some(({ enabled, allowedCommands, obligations: { sandbox } }) => {
    if (!enabled || allowedCommands.isEmpty) return false;
    return (
      sandbox === undefined || sandbox.write.some((folder) => names.some((name) => isInside(name, folder)))
    );
  });
}

function realNameOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    // Gone meanwhile: its name is all there is.
    return file;
  }
}

/** For every refusal, the log and doctor: a file that was accepted once holds something else now. */
export function changedSinceTrusted(file: string, base: PathBase): string {
  return (
    `The policy file ${shown(file, base)} changed since it was trusted, so it can only restrict until the user ` +
    `accepts it. Ask the user to review the change and to run \`${trustCommand(file, base)}\`.`
  );
}

export function changedSinceLoaded(file: string, base: PathBase): string {
  return (
    `The policy file ${shown(file, base)} changed since it was loaded, and commands can write it, so ` +
    `the previous version stays active. Ask the user to review the change and to run \`${trustCommand(file, base)}\`.`
  );
}

export function trustCommand(file: string, base: PathBase): string {
  return `castellan trust ${shown(file, base)}`;
}

function shown(file: string, { workspace }: PathBase): string {
  return isInside(file, workspace) ? file.slice(workspace.length + 1) : file;
}
