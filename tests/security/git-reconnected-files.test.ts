import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, describe, it } from 'mocha';
import { CommandClient, MANY_CALLS } from '../support/command-client.js';
import { GitGround } from '../support/git-ground.js';
import { testsAs, USERS } from '../support/tree-attack-ground.js';

const POLICY = `extends: [builtin:workspace]\ntools:\n  execute_command:\n    ${MANY_CALLS}\n`;
const FILES = ['CLAUDE.md', '.vscode/tasks.json', '.envrc', '.github/workflows/ci.yml'];
const EVIL = 'EVIL';
/** Commits protected files without ever touching them in the workspace. */
const PLANT = `set -e
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
B=$(echo ${EVIL} | git hash-object -w --stdin); export GIT_INDEX_FILE=$(mktemp -u)
git read-tree HEAD; for f in ${FILES.join(' ')}; do git update-index --add --cacheinfo 100644,$B,$f; done
T=$(git write-tree); git branch evil $(git commit-tree $T -p HEAD -m x); unset GIT_INDEX_FILE
`;

interface Way {
  readonly name: string;
  /** In the first connection, after the commit is there. */
  readonly first?: string;
  /** In a later one. */
  readonly later: string;
}

const WAYS: readonly Way[] = [
  { name: 'a merge', later: 'git merge -q evil' },
  { name: 'a pick', later: 'git cherry-pick evil' },
  { name: 'a rebase', later: 'git rebase -q evil' },
  { name: 'a tag', first: 'git tag mark evil; git branch -qD evil', later: 'git checkout -q mark' },
  {
    name: 'a stash',
    first:
      'git branch -qD evil; git stash store -m x $(git commit-tree $T -p HEAD -p $(git commit-tree HEAD^{tree} -p HEAD -m i) -m w)',
    later: 'git stash pop -q',
  },
  { name: 'single files', later: 'git restore --source evil -- .' },
  { name: 'an index', later: 'git read-tree evil && git checkout-index -qaf' },
  {
    name: 'the branch that is checked out',
    first: 'git update-ref refs/heads/main evil',
    later: 'git reset -q --hard',
  },
  {
    name: 'another repository in the workspace',
    first: 'git init -q copy; git -C copy fetch -q .. evil:evil',
    later: 'git pull -q ./copy evil',
  },
];

for (const user of USERS) {
  describe(`Protected files that an agent committed in an earlier connection, as ${user === undefined ? 'the user of the tests' : `user ${user}`}`, function () {
    this.timeout(120_000);
    const test = testsAs(user);
    const closing: (() => void | Promise<void>)[] = [];

    afterEach(async () => {
      for (const close of closing.splice(0).reverse()) await close();
    });

    function ground(): GitGround {
      const made = new GitGround(user);
      closing.push(() => made.remove());
      for (const name of FILES) made.write(`ws/${name}`, 'kind\n');
      made.own();
      made.git('add', '-A');
      made.git('commit', '-qm', 'kind');
      return made;
    }

    async function serve(made: GitGround): Promise<CommandClient> {
      const client = await CommandClient.start(made, made.policy(POLICY), { HOME: made.home }, user);
      closing.push(() => client.stop());
      return client;
    }

    const written = (made: GitGround): readonly string[] =>
      FILES.filter((name) => {
        const path = join(made.workspace, name);
        return existsSync(path) && readFileSync(path, 'utf8').includes(EVIL);
      });

    async function plant(made: GitGround, first = ''): Promise<CommandClient> {
      const client = await serve(made);
      const reply = await client.run({ command: 'bash', stdin: PLANT + first });
      expect(reply.value?.exit_code, JSON.stringify(reply)).to.equal(0);
      // The user's repository has it: what comes later is refused, not missing.
      expect(made.sh(['sh', '-c', `git grep ${EVIL} $(git rev-list --all) -- CLAUDE.md`])).to.contain(EVIL);
      return client;
    }

    for (const { name, first, later } of WAYS) {
      it(`are written by plain git: ${name}`, () => {
        const made = ground();
        made.sh(['bash', '-c', PLANT + (first ?? '')]);
        made.sh(['bash', '-c', later]);
        expect(written(made)).to.deep.equal(FILES);
      });

      test(`stay what they were: ${name}`, async () => {
        const made = ground();
        await (await plant(made, first)).server.end();
        const reply = await (await serve(made)).run(later);
        expect(written(made), JSON.stringify(reply)).to.deep.equal([]);
      });
    }

    for (const [how, end] of [
      ['beside the first server', () => undefined],
      ['after the first server was killed', (first: CommandClient) => first.server.signal('SIGKILL')],
      [
        'two connections later, after the user worked on',
        async (first: CommandClient, made: GitGround) => {
          await first.server.end();
          const second = await serve(made);
          await second.run('git tag seen evil');
          await second.server.end();
          made.git('commit', '-q', '--allow-empty', '-m', 'on');
          made.git('gc', '-q');
        },
      ],
    ] as const) {
      test(`stay what they were ${how}`, async () => {
        const made = ground();
        await end(await plant(made), made);
        const client = await serve(made);
        for (const line of ['git checkout -q evil', 'git checkout -qf evil', 'git merge -q evil']) {
          const reply = await client.run(line);
          expect(written(made), JSON.stringify(reply)).to.deep.equal([]);
        }
      });
    }
  });
}
