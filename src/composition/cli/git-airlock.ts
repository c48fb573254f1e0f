import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { airlockFindings } from '../../infrastructure/command/git/airlock/airlock-report.js';
import { Airlocks, airlockFolderOf } from '../../infrastructure/command/git/airlock/airlocks.js';
import { commitsUpTo } from '../../infrastructure/command/git/airlock/commits-up-to.js';
import { PassedCommits } from '../../infrastructure/command/git/restore/passed-commits.js';
import { ChangeTracker } from '../../infrastructure/command/workspace/change-tracker.js';
import type { GitSurroundings } from '../../presentation/cli/git-command.js';
import type { GlobalOptions } from '../../presentation/cli/program/command-actions.js';
import { readConfiguration } from '../configuration/configuration.js';
import { platformSandbox } from '../modules/command.module.js';

/** Lends the airlock of the workspace's repository to `use`; undefined: it has none. */
export async function withAirlock<T>(
  where: GlobalOptions,
  use: (git: GitSurroundings | undefined) => Promise<T>,
): Promise<T> {
  const configuration = await readConfiguration(where);
  const { workspace, stateFolder } = configuration;
  const sandbox = platformSandbox(stateFolder, process.env);
  const tracker = new ChangeTracker(join(stateFolder, 'watch'));
  const airlocks = new Airlocks({ workspace, stateFolder, sandbox, tracker });
  try {
    const airlock = airlocks.own();
    if (airlock === undefined) return await use(undefined);
    return await use({
      status: async () => {
        const { status } = await airlock.ask('status');
        if (status === undefined) throw new Error('The carrier did not tell its status.');
        return status;
      },
      sync: async () => airlockFindings([await airlock.ask('sync')]),
      discard: async () => (await airlock.ask('discard')).notes[0],
      adopt: async (revision) => {
        const passed = new PassedCommits(join(stateFolder, 'airlock'));
        await passed.refresh();
        const adopted = commitsUpTo(airlock.real, revision).filter((commit) => !passed.isUsers(commit));
        const line = JSON.stringify({ at: new Date().toISOString(), unit: '', adopted });
        await appendFile(join(airlockFolderOf(stateFolder, workspace), 'passed.jsonl'), `${line}\n`);
        return adopted.length;
      },
      restore: async (tip) => (await airlock.ask('restore', tip)).notes[0] ?? '',
    });
  } finally {
    await airlocks.close();
    await sandbox.close();
  }
}
