import { expect } from 'chai';
import { afterEach, describe } from 'mocha';
import { CommandClient, MANY_CALLS } from '../support/command-client.js';
import { eventually } from '../support/eventually.js';
import { GitGround } from '../support/git-ground.js';
import { testsAs, USERS } from '../support/tree-attack-ground.js';

const POLICY = `extends: [builtin:workspace]\ndefaults: { limits: { disk: 8MiB } }\ntools:\n  execute_command:\n    ${MANY_CALLS}\n`;
const OVER = /wrote more than 8 MiB.*every file counts at least 4 KiB/;

/** Makes so many, in folders of a thousand, and stays until it is ended. */
const making = (place: string, make: string, count = 12): string =>
  `mkdir -p ${place} && cd ${place} || exit; for d in $(seq ${count}); do mkdir d$d; (cd d$d; ${make} $(seq 1000)); done`;
const LONGER = '; sleep 30; echo all';

/** One call each; three times what the limit lets through. */
const WAYS: Readonly<Record<string, string>> = {
  'empty files of /tmp': making('/tmp/x', 'touch') + LONGER,
  'empty folders of the workspace': making('x', 'mkdir') + LONGER,
  'links that hold what they name': making('$HOME/x', 'ln -s -t . /') + LONGER,
  'empty files of the git folder': making('.git/x', 'touch') + LONGER,
  'of four processes at once': `${[1, 2, 3, 4].map((part) => `(${making(`x${part}`, 'mkfifo', 3)}) &`).join(' ')} wait${LONGER}`,
};

for (const user of USERS) {
  describe(`Files without content, as ${user === undefined ? 'the user of the tests' : `user ${user}`}`, function () {
    this.timeout(120_000);
    const test = testsAs(user);
    let made: GitGround;
    let client: CommandClient;

    afterEach(async () => {
      await client.stop();
      made.remove();
    });

    async function serve(): Promise<CommandClient> {
      made = new GitGround(user);
      client = await CommandClient.start(made, made.policy(POLICY), { HOME: made.home }, user);
      return client;
    }

    for (const [name, stdin] of Object.entries(WAYS)) {
      test(`count against limits.disk: ${name}`, async () => {
        const server = await serve();
        const reply = await server.run({ command: 'bash', stdin });
        expect(reply.error, JSON.stringify(reply)).to.match(OVER);
      });
    }

    test('count together where several commands of a session make them', async () => {
      const server = await serve();
      const replies: string[] = [];
      await eventually('one is ended', async () => {
        const stdin = `${making(`/tmp/x${replies.length}`, 'touch', 1)}; sleep 1`;
        replies.push(JSON.stringify(await server.run({ command: 'bash', stdin })));
        return replies.length >= 4 || OVER.test(replies.at(-1) ?? '');
      });
      expect(replies.at(-1)).to.match(OVER);
      expect(replies.length).to.be.above(1);
    });

    test('let through what is below it', async () => {
      const server = await serve();
      const reply = await server.run({ command: 'bash', stdin: `${making('x', 'touch', 1)}; echo all` });
      expect(reply.value?.stdout, JSON.stringify(reply)).to.equal('all\n');
    });
  });
}
