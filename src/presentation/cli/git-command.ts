import { type ExitCode, type Output, table } from './output.js';

/** What waits between the user's git folder and the one of commands, and what is kept. */
export interface GitStatus {
  readonly isSetUp: boolean;
  readonly waiting: readonly { readonly side: 'commands' | 'user'; readonly item: string }[];
  readonly conflicts: readonly string[];
  readonly kept: readonly { readonly name: string; readonly tip: string; readonly at: string }[];
  readonly aside: readonly string[];
}

/** The git folder that commands have of a workspace's repository. */
export interface GitSurroundings {
  status(): Promise<GitStatus>;
  /** Carries over what waits; sentences about what could not be. */
  sync(): Promise<readonly string[]>;
  /** Where it was put; undefined: there was nothing. */
  discard(): Promise<string | undefined>;
  /** How many commits of commands became the user's. */
  adopt(revision: string): Promise<number>;
  /** The branch that was made. */
  restore(tip: string): Promise<string>;
}

export type GitWork = 'status' | 'sync' | 'discard' | 'adopt' | 'restore';

const SETTLE = 'Carry it over with `castellan git sync`.';

const NONE =
  'Commands have no git folder of their own here: the workspace is no repository, or this machine has no bubblewrap.';

/** `castellan git …`: undefined surroundings: no repository here has a git folder for commands. */
export async function gitCommand(
  git: GitSurroundings | undefined,
  work: GitWork,
  argument: string | undefined,
  output: Output,
): Promise<ExitCode> {
  if (git === undefined) {
    const needsOne = work === 'adopt' || work === 'restore';
    if (needsOne) output.err(NONE);
    else output.out(NONE);
    return needsOne ? 1 : 0;
  }
  try {
    for (const line of await WORKS[work](git, argument ?? '', output)) output.out(line);
    return 0;
  } catch (error) {
    output.err(error instanceof Error ? error.message : String(error));
    return 1;
  }
}

const WORKS: Readonly<
  Record<GitWork, (git: GitSurroundings, argument: string, output: Output) => Promise<readonly string[]>>
> = {
  status: async (git, _, output) => statusLines(await git.status(), output),
  sync: async (git) => {
    const told = await git.sync();
    return told.length === 0 ? ["The user's git folder and that of commands are as one."] : told;
  },
  discard: async (git) => {
    const aside = await git.discard();
    return aside === undefined
      ? ['Nothing waited.']
      : [
          `What commands had not passed on is in ${aside} now. The next command starts from the user's git folder; end commands that still run.`,
        ];
  },
  adopt: async (git, revision) => [
    `${await git.adopt(revision)} commits of commands up to ${revision} count as the user's now: git may bring protected files to what they have.`,
  ],
  restore: async (git, tip) => [`Restored as ${await git.restore(tip)}.`],
};

function statusLines(status: GitStatus, output: Output): readonly string[] {
  const { isSetUp, waiting, conflicts, kept, aside } = status;
  if (!isSetUp) return ['No command has used git here yet.'];
  const by = (side: 'commands' | 'user'): readonly string[] =>
    waiting.filter((one) => one.side === side).map(({ item }) => `  ${item}`);
  const [inside, outside] = [by('commands'), by('user')];
  return [
    ...(waiting.length === 0 ? ['Nothing waits.'] : []),
    ...(inside.length === 0
      ? []
      : [`Commands changed, not yet in the user's git folder. ${SETTLE}`, ...inside]),
    ...(outside.length === 0
      ? []
      : ['The user changed, not yet seen by commands (the next one will):', ...outside]),
    ...(conflicts.length === 0
      ? []
      : [
          "Commits of commands that gave way to the user's. Merge or delete them (git update-ref -d NAME):",
          ...conflicts.map((name) => `  ${name}`),
        ]),
    ...(kept.length === 0
      ? []
      : [
          'Replaced or deleted by commands, kept for 30 days. Get one back with `castellan git restore COMMIT`:',
          table(
            ['WHEN', 'COMMIT', 'WAS'],
            kept.map(({ at, tip, name }) => [at, tip.slice(0, 12), name]),
            output,
          ),
        ]),
    ...(aside.length === 0
      ? []
      : ['Git folders of commands that were put aside:', ...aside.map((path) => `  ${path}`)]),
  ];
}
