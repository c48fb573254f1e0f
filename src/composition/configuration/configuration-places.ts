import { realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import { unnamedWorkspaceProblem } from '../../domain/permission/policy/unnamed-workspace.js';
import type { OwnedFile } from '../../infrastructure/policy/load-policy.js';
import { isKernelFolder, resolveStateFolder } from '../../infrastructure/state/state-folder.js';
import type { CastellanOptions } from './castellan-options.js';
import { ConfigurationError, orThrow } from './configuration-error.js';
import { type ConfigurationFile, locateFile, POLICY_NAMES, SETTINGS_NAMES } from './configuration-files.js';
import type { Environment } from './environment-settings.js';

/** Where everything lies that decides how the server behaves: the option, the variable, the file found. */
export interface ConfigurationPlaces {
  readonly workspace: string;
  readonly named: string | undefined;
  readonly stateFolder: string;
  readonly home: string;
  readonly settingsFile: ConfigurationFile | undefined;
  readonly policyFile: ConfigurationFile | undefined;
  readonly ceiling: string | undefined;
  /** Counts wherever it exists. */
  readonly systemCeiling: OwnedFile | undefined;
  readonly userPolicy: OwnedFile;
  readonly environment: Environment;
}

/** What belongs to the machine and not to whoever starts a server; tests bring another one. */
export interface Machine {
  readonly ceiling: OwnedFile;
}

const THIS_MACHINE: Machine = { ceiling: { path: '/etc/castellan/ceiling.yaml', owners: [0] } };

export function findPlaces(options: CastellanOptions, machine = THIS_MACHINE): ConfigurationPlaces {
  const environment = options.environment ?? process.env;
  const home = environment.HOME ?? homedir();
  const given = options.workspace ?? environment.CASTELLAN_WORKSPACE;
  const workspace = findWorkspace(given, home);
  const ceiling = options.ceiling ?? environment.CASTELLAN_CEILING;
  return {
    workspace,
    named: nameOfWorkspace(given, environment.PWD, workspace),
    home,
    environment,
    stateFolder: orThrow(resolveStateFolder(environment)),
    settingsFile: locateFile(options.config ?? environment.CASTELLAN_CONFIG, workspace, SETTINGS_NAMES),
    policyFile: locateFile(options.policy ?? environment.CASTELLAN_POLICY, workspace, POLICY_NAMES),
    systemCeiling: machine.ceiling,
    userPolicy: {
      path: resolve(configurationHome(environment, home), 'castellan', 'permissions.yaml'),
      owners: [process.getuid?.() ?? 0, 0],
    },
    ceiling: ceiling === undefined || ceiling === '' ? undefined : resolve(ceiling),
  };
}

/** The XDG specification has relative values ignored. */
export function configurationHome({ XDG_CONFIG_HOME: base }: Environment, home: string): string {
  return base !== undefined && isAbsolute(base) ? base : resolve(home, '.config');
}

function findWorkspace(named: string | undefined, home: string): string {
  const given = named === undefined || named === '' ? undefined : resolve(named);
  let root: string;
  try {
    root = realpathSync(given ?? process.cwd());
  } catch {
    throw new ConfigurationError(
      given === undefined
        ? 'The current directory no longer exists. Change to an existing one, or set --workspace.'
        : `The workspace ${given} does not exist. Name a folder that does.`,
    );
  }
  if (!statSync(root).isDirectory()) {
    throw new ConfigurationError(`The workspace ${root} is not a folder. Name the folder of a project.`);
  }
  if (isKernelFolder(root)) {
    throw new ConfigurationError(
      `The workspace ${root} is in a file system of the kernel. Name the folder of a project with --workspace or CASTELLAN_WORKSPACE.`,
    );
  }
  const problem = given === undefined ? unnamedWorkspaceProblem(root, realHome(home)) : undefined;
  if (problem !== undefined) {
    throw new ConfigurationError(
      `The current folder is ${root}, ${problem}: too much to give to an agent by accident. ` +
        'Start in a project, or name the workspace with --workspace or CASTELLAN_WORKSPACE.',
    );
  }
  return root;
}

function realHome(home: string): string {
  try {
    return realpathSync(home);
  } catch {
    // A home that is not there holds nothing to keep.
    return home;
  }
}

/** The shell keeps in PWD through which links it came here. */
function nameOfWorkspace(
  given: string | undefined,
  shell: string | undefined,
  root: string,
): string | undefined {
  const named = given === undefined || given === '' ? shell : resolve(given);
  if (named === undefined || named === root) return undefined;
  try {
    return realpathSync(named) === root ? resolve(named) : undefined;
  } catch {
    // PWD may be anything.
    return undefined;
  }
}
