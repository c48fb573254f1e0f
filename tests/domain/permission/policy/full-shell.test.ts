import { expect } from 'chai';
import { describe, it } from 'mocha';
import { PermissionPolicy } from '../../../../src/domain/permission/policy/permission-policy.js';
import { decide, load, loadFiles, policyOf, problemsOf, verdict } from '../../../support/policy-bench.js';

const FULL = 'extends: [builtin:workspace]\n';
const entry = (text: string): string => `${FULL}tools:\n  execute_command:\n${text.replace(/^/gm, '    ')}\n`;
const run = (command: string) => ({ command });

async function mode(yaml: string): Promise<string> {
  return (await policyOf(yaml)).shellModeOf('execute_command');
}

describe('shell: full', () => {
  describe('in a policy', () => {
    it('is what builtin:workspace says, and static where nobody says anything', async () => {
      expect(await mode(FULL)).to.equal('full');
      expect(await mode('tools:\n  execute_command: { allowed_commands: ["*"] }\n')).to.equal('static');
      expect(await mode(entry('shell: static'))).to.equal('static');
      expect(await mode(entry('shell: none'))).to.equal('none');
    });

    it('becomes static where it is inherited by a file that names programs', async () => {
      expect(await mode(entry('allowed_commands: [ls, cat]'))).to.equal('static');
      expect(await mode(entry('sandbox_unavailable: none'))).to.equal('static');
    });

    it('stays where a file adds denies, or rules beside the one for every program', async () => {
      expect(await mode(entry('denied_commands: [rm]'))).to.equal('full');
      expect(await mode(entry('allowed_commands: ["*", { command: curl, consent: ask }]'))).to.equal('full');
    });

    it('is an error where it is written beside what it cannot hold with, and names the form that works', async () => {
      const cases: readonly (readonly [string, RegExp])[] = [
        [
          'tools:\n  execute_command: { allowed_commands: [ls], shell: full }\n',
          /allowed_commands: \["\*"\]/,
        ],
        [entry('allowed_commands: [ls]\nshell: full'), /allowed_commands: \["\*"\]/],
        [entry('shell: full\nsandbox_unavailable: none'), /Leave sandbox_unavailable out/],
        [
          'tools:\n  execute_command: { allowed_commands: ["*"], shell: full, sandbox: none }\n',
          /sandbox: workspace/,
        ],
      ];
      for (const [yaml, fix] of cases) {
        const problems = await problemsOf(yaml);
        expect(problems.join('\n'), yaml).to.match(/^\/policy\.yaml:\d+:\d+: shell: full needs/);
        expect(problems.join('\n'), yaml).to.match(fix);
      }
      expect(await problemsOf(entry('shell: full'))).to.deep.equal([]);
    });

    it('is static again for a file that extends one with full and names programs', async () => {
      const files = {
        '/base.yaml': entry('shell: full'),
        '/policy.yaml': 'extends: [./base.yaml]\ntools:\n  execute_command: { allowed_commands: [ls] }\n',
      };
      const loaded = await loadFiles(files);
      expect(loaded.success && loaded.value.snapshot.policy.shellModeOf('execute_command')).to.equal(
        'static',
      );
    });

    it('meets ceilings at the strictest, and one that says nothing has no opinion', async () => {
      const cases: readonly (readonly [string, string])[] = [
        ['tools:\n  execute_command: { allowed_commands: ["*"] }\n', 'full'],
        ['tools:\n  execute_command: { allowed_commands: ["*"], shell: static }\n', 'static'],
        ['tools:\n  execute_command: { allowed_commands: ["*"], shell: none }\n', 'none'],
        ['tools:\n  execute_command: { allowed_commands: [ls] }\n', 'static'],
      ];
      for (const [ceiling, expected] of cases) {
        const { layer } = await load(ceiling);
        const policy = new PermissionPolicy((await load(FULL)).layer, [layer]);
        expect(policy.shellModeOf('execute_command'), ceiling).to.equal(expected);
      }
    });
  });

  describe('decides', () => {
    it('a line by its exact reading where there is one, and any other as text', async () => {
      const policy = await policyOf(FULL);
      for (const line of [
        'ls | head',
        'for f in *; do echo "$f"; done',
        'x=$(date); echo $x',
        'if then',
        'echo "',
      ])
        expect(verdict(decide(policy, 'execute_command', run(line))), line).to.equal('allow');
    });

    const HIDING: readonly string[] = [
      'for f in a b; do git push; done',
      'while true; do git -C . push origin main; break; done',
      'if git diff --quiet; then :; else git push; fi',
      'case x in x) git push;; esac',
      'f() { git push; }; f',
      'echo $(git push)',
      'echo `git push`',
      'x="$(git push 2>&1)"',
      'diff <(git push) /dev/null',
      'cat <<EOF\n$(git push)\nEOF',
      "bash <<'EOF'\ngit push\nEOF",
      'sh <<< "git push"',
      'echo "git push" | bash',
      "printf 'git push\\n' | sh -s",
      "cat <<'EOF' | bash\ngit push\nEOF",
      "bash -c 'cd x; for i in 1; do git push; done'",
      "sh -ec 'git push $1' x y",
      'eval git push',
      "eval 'git push'",
      "trap 'git push' EXIT",
      'exec git push',
      'command git push',
      '(cd x && git push) &',
      'coproc git push',
      '{ git push; } 2>/dev/null',
      'A=$(x) env B=$C git push',
      'ls | while read x; do git push; done',
      'echo x | xargs -I{} sh -c "git push {}"',
      'find . -exec sh -c "git push" \\;',
      'timeout $T git push',
      '[[ -n $(git push) ]]',
      '(( $(git push) ))',
      'echo ${x:-$(git push)}',
      'a=($(git push))',
      'select x in 1; do git push; done',
      'GIT_SSH_COMMAND="git push" git fetch $x',
      '"git" push; echo $x',
      "g''it push; echo $x",
      "$'git' push",
      'git $x',
      'git -c a.b=$x push',
    ];
    for (const line of HIDING) {
      it(`a denied subcommand wherever it stands: ${JSON.stringify(line)}`, async () => {
        const policy = await policyOf(entry('denied_commands: [{ command: [git, push] }]'));
        const decision = decide(policy, 'execute_command', run(line));
        expect(verdict(decision)).to.equal('deny DENIED_COMMAND');
        expect(decision.effect === 'deny' && decision.message).to.match(/git.* push/);
        const asking = await policyOf(
          entry('allowed_commands: ["*", { command: [git, push], consent: ask }]'),
        );
        expect(verdict(decide(asking, 'execute_command', run(line)))).to.equal('ask');
      });
    }

    it('honest text under the same denies is not in the way', async () => {
      const policy = await policyOf(entry('denied_commands: [{ command: [git, push] }, sudo]'));
      const lines = [
        'for f in src/*.js; do node --check "$f" || exit 1; done',
        'git commit -m "$(cat <<\'EOF\'\ndo not git push yet\nEOF\n)"',
        'B=$(git branch --show-current); git log --oneline "$B" | head -3',
        'echo "run git push later"',
        'export A=1; npm test 2>&1 | tail -20; echo "exit: $?"',
        'cat <<EOF > notes.md\ngit push\n$(date)\nEOF',
        'python3 - <<EOF\nprint("git push")\nEOF',
      ];
      for (const line of lines)
        expect(verdict(decide(policy, 'execute_command', run(line))), line).to.equal('allow');
    });

    it('a program that nobody can name is refused with the reason, only where there are rules about programs', async () => {
      const lines = [
        '$X -rf y',
        '"$TOOL" push',
        '$(echo rm) x',
        'eval "$LINE"',
        'bash -c "$LINE"',
        'xargs $X',
      ];
      const open = await policyOf(FULL);
      const ruled = await policyOf(entry('denied_commands: [rm]'));
      const asking = await policyOf(entry('allowed_commands: ["*", { command: deploy, consent: ask }]'));
      for (const line of lines) {
        expect(verdict(decide(open, 'execute_command', run(line))), line).to.equal('allow');
        for (const policy of [ruled, asking]) {
          const decision = decide(policy, 'execute_command', run(line));
          expect(verdict(decision), line).to.equal('deny SHELL_SYNTAX');
          expect(decision.effect === 'deny' && decision.hint, line).to.match(
            /Write the name of the program out/,
          );
        }
      }
    });

    it('text that cannot be read is refused under such rules, and otherwise left to bash to explain', async () => {
      const ruled = await policyOf(entry('denied_commands: [rm]'));
      for (const line of ['if then', 'echo $(', 'for x in; do']) {
        expect(verdict(decide(await policyOf(FULL), 'execute_command', run(line))), line).to.equal('allow');
        expect(verdict(decide(ruled, 'execute_command', run(line))), line).to.match(/^deny/);
      }
    });

    it('redirections to denied and protected files, in loops and groups too', async () => {
      const policy = await policyOf(`${FULL}tools:\n  write_file: { denied_paths: [locked] }\n`);
      for (const line of [
        'for i in 1; do echo $i > locked/a; done',
        'x=1; { echo $x; } >> locked/a',
        'cd locked && echo $x > a',
        'if true; then echo $x > .git/hooks/pre-commit; fi',
        'echo $x > .vscode/settings.json',
        'echo $(cat .env)',
        'while read l; do echo $l; done < .env',
      ])
        expect(verdict(decide(policy, 'execute_command', run(line))), line).to.match(
          /^deny (PROTECTED|DENIED_PATH)$/,
        );
    });

    it('and refuses no redirection from what every machine has', async () => {
      const policy = await policyOf(FULL);
      for (const line of [
        'tr -dc a-z < /dev/urandom | head -c 8',
        'head -c 100 < /dev/zero | tr "\\0" =; echo $x',
        'x=$(LC_ALL=C < /dev/random head -c 1)',
      ])
        expect(verdict(decide(policy, 'execute_command', run(line))), line).to.equal('allow');
    });

    const EMPTYING: readonly string[] = [
      'for f in *; do rm -rf "$f"; done',
      'for d in . x; do rm -rf $d; done',
      'rm -rf "$PWD"',
      'rm -rf $(pwd)/*',
      'D=.; rm -rf "$D"',
      'X="rm -rf"; $X .',
      'if true; then rm -rf ./*; fi',
      'x=$(rm -rf /)',
      "bash <<'EOF'\nrm -rf *\nEOF",
      'echo "rm -rf ." | sh',
      'ls | xargs rm -rf',
      'find . | xargs rm -rf; echo $x',
      'find . -print0 | xargs -0 rm -rf',
      "eval 'rm -rf .'",
      "trap 'rm -rf .' EXIT; echo $x",
      'cd src; rm -rf ../*; echo $x',
      '$SUDO rm -rf .',
      'python3 -c "import shutil; shutil.rmtree(\'.\')"',
      "node -e \"require('fs').rmSync('/workspace', {recursive: true})\"",
      "node -e \"require('child_process').execSync('rm -rf /')\"",
      'rm -rf . ; )',
    ];
    for (const line of EMPTYING) {
      it(`what empties the workspace asks: ${JSON.stringify(line)}`, async () => {
        expect(verdict(decide(await policyOf(FULL), 'execute_command', run(line)))).to.equal('ask');
      });
    }

    it('deleting what is named inside the workspace asks nobody', async () => {
      const policy = await policyOf(FULL);
      const lines = [
        'rm -rf build',
        'for d in dist build; do rm -rf "$d"; done',
        'rm -rf "$OUT"',
        'cd build && rm -rf *',
        'D=$(mktemp -d); cd "$D" && rm -rf *',
        'ls *.tmp | xargs rm -f; echo $x',
        'rm -rf node_modules && npm ci; echo $?',
        'python3 -c "import shutil; shutil.rmtree(\'build\')"',
      ];
      for (const line of lines)
        expect(verdict(decide(policy, 'execute_command', run(line))), line).to.equal('allow');
    });

    it('exact arguments that only a shell understands, by what they show', async () => {
      const policy = await policyOf(entry('denied_commands: [{ command: [git, push] }]'));
      const args = (text: string) => ({ command: 'bash', args: ['-c', text] });
      expect(verdict(decide(policy, 'execute_command', args('for i in 1; do ls; done')))).to.equal('allow');
      expect(verdict(decide(policy, 'execute_command', args('for i in 1; do git push; done')))).to.equal(
        'deny DENIED_COMMAND',
      );
    });

    it('a text has the network only where every program has', async () => {
      const policy = await policyOf(entry('allowed_commands: ["*", { command: curl, network: full }]'));
      const network = (line: string) => {
        const decision = decide(policy, 'execute_command', run(line));
        return decision.effect === 'deny' ? decision.reason : decision.obligations.network;
      };
      expect(network('curl x')).to.equal('full');
      expect(network('for u in a b; do curl $u; done')).to.equal('none');
    });
  });
});
