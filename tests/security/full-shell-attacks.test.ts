import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { ATTACK_LINES, type Attack } from '../support/attack-lines.js';
import { CommandClient, MANY_CALLS } from '../support/command-client.js';
import { AttackGround, CANARY } from '../support/command-ground.js';
import { eventually } from '../support/eventually.js';
import { HonestProject } from '../support/honest-project.js';
import { OPTION_ATTACKS } from '../support/option-attacks.js';
import { ORDINARY_USER } from '../support/ordinary-user.js';
import { processesWith } from '../support/sandbox-jobs.js';

const LONG = process.env.CASTELLAN_LONG === '1';
const SERVER_SECRET = 'secret-in-the-environment-of-the-server';

const FULL = `
extends: [builtin:workspace]
tools:
  execute_command:
    ${MANY_CALLS}
    timeout: 10
`;

const AS_GIVEN = Object.values({ ...ATTACK_LINES, ...OPTION_ATTACKS }).flat();

/** The same inside a text that only a shell understands. */
function inLoop(attack: string | Attack): string | Attack {
  const whole: Attack = typeof attack === 'string' ? { command: attack } : attack;
  return whole.args === undefined ? `for i in "\${X:-1}"; do\n${whole.command}\ndone` : whole;
}

const ALL = [...AS_GIVEN, ...AS_GIVEN.map(inLoop)];
/** Whose server it is, and every how many-th attack is made without the long run. */
const USERS = [
  { user: undefined, every: 15 },
  ...(ORDINARY_USER === undefined ? [] : [{ user: ORDINARY_USER, every: 60 }]),
];

describe('Attacks under shell: full', function () {
  this.timeout(LONG ? 1_200_000 : 240_000);

  for (const { user, every } of USERS)
    describe(`by every line that was made against the policy${user === undefined ? '' : `, as user ${user}`}`, () => {
      const attacks = ALL.filter((_, index) => LONG || index % every === 0);
      let ground: AttackGround;
      let client: CommandClient;
      let answers: readonly string[] = [];

      before(async () => {
        ground = new AttackGround();
        const policy = ground.policy('policy.yaml', FULL);
        if (user !== undefined) execFileSync('chown', ['-R', `${user}:${user}`, ground.root]);
        client = await CommandClient.start(ground, policy, { SERVER_SECRET }, user);
        const replies: string[] = [];
        const queue = [...attacks.entries()];
        const worker = async (): Promise<void> => {
          for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
            const [number, attack] = next;
            replies.push(JSON.stringify(await client.call('execute_command', ground.aim(attack, number))));
          }
        };
        await Promise.all(Array.from({ length: 4 }, worker));
        answers = replies;
      });

      after(async () => {
        await client?.stop();
        ground?.remove();
      });

      it('nothing outside is changed', () => {
        expect(answers.length).to.equal(attacks.length);
        expect(ground.changes().filter((line) => line.includes(`${ground.outside}/`))).to.deep.equal([]);
      });

      it('nothing outside is read, nor anything of the server', () => {
        for (const [index, text] of answers.entries())
          expect(text, String(index)).not.to.include(CANARY).and.not.to.include(SERVER_SECRET);
      });

      it('nothing is left behind', async () => {
        await eventually('nothing runs', () => processesWith(ground.root).length === 0);
        await client.stop();
        await eventually('nothing waits', () => processesWith(ground.root).length === 0);
      });
    });

  describe('by texts of a shell', () => {
    let project: HonestProject;
    let client: CommandClient;

    before(async () => {
      project = new HonestProject();
      mkdirSync(join(project.workspace, '.vscode'));
      writeFileSync(join(project.workspace, '.vscode/settings.json'), '{}\n');
      const denied = '    denied_commands: [rm, perl, { command: [git, push] }]\n';
      client = await CommandClient.start(project, project.policy(FULL + denied));
    });

    after(async () => {
      await client?.stop();
      project?.remove();
    });

    it('masked secrets are not read', async () => {
      const texts = [
        'for f in .e*; do cat "$f"; done',
        'x=$(cat .e""nv 2>&1); echo "$x"',
        'while read -r l; do echo "$l"; done < ./.e"n"v',
        'mapfile -t a < .en?; echo "${a[@]}"',
        'exec 5< .e*v; cat <&5',
        'cp -r . "$(mktemp -d)/c"; cat /tmp/*/c/.env; grep -r not-for . ; echo $x',
      ];
      for (const text of texts)
        expect(JSON.stringify(await client.run(text)), text).not.to.include('not-for-commands');
    });

    it('protected files are not changed', async () => {
      const paths = ['.git/hooks/pre-commit', '.git/config', '.vscode/settings.json'];
      const read = (path: string) =>
        existsSync(join(project.workspace, path))
          ? readFileSync(join(project.workspace, path), 'utf8')
          : 'absent';
      const before = paths.map(read);
      for (const path of paths) {
        const hidden = path.replace(/(.)$/, '"$1"');
        for (const text of [
          `f=${hidden}; echo evil >> "$f"`,
          `for f in ${hidden}; do printf evil > $f; done`,
          `d=$(dirname ${hidden}); mv "$d" "$d-old"; mkdir -p "$d"; echo evil > ${hidden}; echo $x`,
          `python3 - <<EOF\nopen("${path}", "a").write("evil")\nEOF\necho $x`,
        ])
          await client.run(text);
      }
      expect(paths.map(read)).to.deep.equal(before);
    });

    it('a denied program does not exist, by whatever name', async () => {
      writeFileSync(join(project.workspace, 'kept.txt'), 'kept\n');
      const texts = [
        'python3 -c "import os; os.system(\'rm kept.txt\')"',
        'python3 -c "import os; os.system(\'/bin/rm kept.txt; /usr/bin/rm kept.txt\')"',
        "python3 -c \"import shutil; shutil.copy('/usr/bin/rm', 'r')\"; ./r kept.txt",
        "python3 -c \"import os; os.execv('/usr/bin/rm', ['x', 'kept.txt'])\"",
        'python3 -c "import os; os.system(\'$(ls /lib64/ld-linux*) /usr/bin/rm kept.txt\')"',
        'cat /usr/bin/[r]m > r; chmod +x r; ./r kept.txt',
        'ln -s /usr/bin/r? link; ./link kept.txt',
        'printf "#!/bin/sh\\nrm kept.txt\\n" > s.sh; sh s.sh; bash ./s.sh',
        'printf "x:\\n\\trm kept.txt\\n" > k.mk; make -f k.mk; echo $x',
        'env -i /bin/sh -c "r""m kept.txt"; echo $x',
        "node -e \"require('child_process').spawnSync('rm', ['kept.txt'])\"",
        'python3 -c "import os; os.system(\'perl -e unlink\\\\(q/kept.txt/\\\\); perl5* -e unlink\\\\(q/kept.txt/\\\\)\')"',
      ];
      for (const text of texts) await client.run(text);
      expect(readFileSync(join(project.workspace, 'kept.txt'), 'utf8')).to.equal('kept\n');
      const reply = await client.run("python3 -c \"import subprocess as s; print(s.run(['rm', 'x']))\"");
      expect(reply.value?.stderr).to.match(/PermissionError/);
    });
  });
});
