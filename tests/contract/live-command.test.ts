import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type {
  LiveCommand,
  SandboxJob,
  SandboxView,
} from '../../src/application/ports/command/command-sandbox.js';
import { Result } from '../../src/domain/result.js';
import { executionFailed, toolFailure } from '../../src/domain/tool/tool-error.js';
import type { BubblewrapSandbox } from '../../src/infrastructure/command/sandbox/bubblewrap-sandbox.js';
import { eventually, happens } from '../support/eventually.js';
import { outcomeOf, processesWith, requireSandbox, SandboxGround } from '../support/sandbox-jobs.js';

for (const session of [undefined, 'one'])
  describe(`A view that changes (bubblewrap${session === undefined ? '' : ' in a session'})`, () => {
    let ground: SandboxGround;
    let sandbox: BubblewrapSandbox;
    let live: LiveCommand | undefined;
    let gone = 0;

    beforeEach(async () => {
      ground = new SandboxGround();
      sandbox = ground.bubblewrap();
      live = undefined;
      gone = 0;
      await requireSandbox(sandbox);
    });

    afterEach(async () => {
      await sandbox.close();
      ground.remove();
    });

    const place = (name: string): string => join(ground.workspace, name);
    const put = (name: string, text: string): string => {
      mkdirSync(join(place(name), '..'), { recursive: true });
      writeFileSync(place(name), text);
      return place(name);
    };
    /** As editors save: what was covered is another file afterwards. */
    const save = (path: string, text: string): void => {
      writeFileSync(`${path}.new`, text);
      renameSync(`${path}.new`, path);
    };
    const view = (parts: Partial<SandboxView> = {}): SandboxView => ({
      read: [],
      write: [ground.workspace],
      hide: [],
      readOnlyInside: [],
      ...parts,
    });
    const onLive = (command: LiveCommand): (() => void) => {
      live = command;
      return () => {
        gone += 1;
      };
    };
    const run = (job: SandboxJob) =>
      sandbox.run({ ...job, ...(session && { session }) }, new AbortController().signal);
    const begun = async (): Promise<LiveCommand> => {
      await eventually('the command has begun', () => live !== undefined && existsSync(place('begun')));
      if (live === undefined) throw new Error('nobody was told');
      return live;
    };

    describe('before the command begins', () => {
      it('lets it begin when the view is still the same, and tells when it is over', async () => {
        const same = view();
        let asked = 0;
        const currentView: SandboxJob['currentView'] = async () => {
          asked += 1;
          expect(gone).to.equal(0);
          return Result.ok(same);
        };
        const outcome = await outcomeOf(sandbox, ground.job({ view: same, currentView, onLive }));
        expect(outcome.exitCode).to.equal(0);
        expect({ asked, gone, told: live !== undefined }).to.deep.equal({ asked: 1, gone: 1, told: true });
      });

      it('sets it up again with another view', async () => {
        const secret = put('.env', 'SECRET');
        const later = view({ hide: [secret] });
        const job = ground.shell("'/bin/cat' .env; '/bin/echo' ran >> count", {
          view: view(),
          currentView: async () => Result.ok(later),
        });
        const outcome = await outcomeOf(sandbox, job);
        expect(outcome.stdout).to.equal('');
        expect(outcome.stderr).to.match(/Permission denied/);
        expect(readFileSync(place('count'), 'utf8')).to.equal('ran\n');
      });

      it('gives up when the view is another one each time, and has run nothing', async () => {
        let asked = 0;
        const currentView: SandboxJob['currentView'] = async () => {
          asked += 1;
          return Result.ok(view());
        };
        const result = await run(ground.shell("'/bin/echo' x > made", { currentView, onLive }));
        expect(result.success || result.error.kind).to.equal('unavailable');
        expect(result.success || result.error.message).to.match(/not run.*being replaced or moved/s);
        // Several looks at each of several sandboxes, and an end of it.
        expect(asked).to.be.within(5, 1_000);
        expect(live).to.equal(undefined);
        expect(existsSync(place('made'))).to.equal(false);
      });

      it('fails as the view fails', async () => {
        const currentView: SandboxJob['currentView'] = async () =>
          toolFailure(executionFailed('the tree cannot be read'));
        const result = await run(ground.shell("'/bin/echo' x > made", { currentView }));
        expect(result.success || result.error.message).to.equal('the tree cannot be read');
        expect(existsSync(place('made'))).to.equal(false);
      });
    });

    describe('while the command runs', () => {
      const READ = 'try() { \'/bin/cat\' "$1" 2>/dev/null && \'/bin/echo\' open >> "$HOME/seen"; }';
      const until = (step: string): string => `while [ ! -e ${step} ]; do '/bin/sleep' 0.01; done`;
      const script = (...lines: string[]): string => [READ, "'/bin/echo' > begun", ...lines].join('\n');

      it('covers a hidden file that was replaced, and lets the command go on', async () => {
        const secret = put('.env', 'OLD');
        const job = ground.shell(script(until('go'), 'try .env', "'/bin/echo' done"), {
          view: view({ hide: [secret] }),
          onLive,
        });
        const running = run(job);
        const command = await begun();
        save(secret, 'NEW');
        await command.cover({ hide: [secret], readOnlyInside: [] });
        put('go', '');
        const result = await running;
        expect(result.success && result.value.stdout).to.equal('done\n');
        expect(gone).to.equal(1);
      });

      it('would show it uncovered, so that the test above means something', async () => {
        const secret = put('.env', 'OLD');
        const running = run(
          ground.shell(script(until('go'), 'try .env'), { view: view({ hide: [secret] }), onLive }),
        );
        await begun();
        save(secret, 'NEW');
        put('go', '');
        const result = await running;
        expect(result.success && result.value.stdout).to.equal('NEW');
      });

      it('covers many at once: new files and folders, odd names, and makes others read-only', async () => {
        const running = run(
          ground.shell(
            script(
              until('go'),
              "try \"a 'b\\\"  c/.env\"; try keys/one; '/bin/ls' keys; '/bin/echo' x > CLAUDE.md; '/bin/echo' x > hooks/new",
              "'/bin/echo' x > free; '/bin/echo' done",
            ),
            { onLive },
          ),
        );
        const command = await begun();
        const hide = [put('a \'b"  c/.env', 'SECRET'), join(put('keys/one', 'SECRET'), '..')];
        const readOnlyInside = [put('CLAUDE.md', 'be good'), join(put('hooks/old', 'x'), '..')];
        await command.cover({
          hide: [...hide, place('gone')],
          readOnlyInside: [...readOnlyInside, place('gone')],
        });
        put('go', '');
        const result = await running;
        expect(result.success && result.value.stdout).to.equal('done\n');
        expect(result.success && result.value.stderr).to.match(
          /CLAUDE.md: Read-only.*hooks\/new: Read-only/s,
        );
        expect(readFileSync(place('CLAUDE.md'), 'utf8')).to.equal('be good');
        expect(existsSync(place('hooks/new'))).to.equal(false);
        expect(existsSync(place('free'))).to.equal(true);
      });

      it('stops every process meanwhile, those that fork included', async () => {
        const bomb = "for i in 1 2 3 4; do (while :; do ('/bin/true'); try .env; done) & done";
        const secret = put('.env', 'OLD');
        const running = run(
          ground.shell(script(bomb, until('go'), 'kill $(jobs -p)', "'/bin/echo' done"), {
            view: view({ hide: [secret] }),
            onLive,
          }),
        );
        const command = await begun();
        for (let round = 0; round < 3; round += 1)
          await command.cover({ hide: [secret], readOnlyInside: [] });
        rmSync(join(ground.home, 'seen'), { force: true });
        put('go', '');
        const result = await running;
        expect(result.success && result.value.stdout).to.equal('done\n');
        expect(existsSync(join(ground.home, 'seen'))).to.equal(false);
      });

      it('ends the command for a reason, with what it had said and everything it had started', async () => {
        const marker = `7${process.pid}4.5`;
        const sleep = `'/bin/sleep' ${marker}`;
        const running = run(
          ground.shell(`'/bin/echo' said; '/bin/echo' > begun; ${sleep} & ${sleep}`, { onLive }),
        );
        (await begun()).end('A hook of git was replaced.');
        const result = await running;
        expect(result.success || result.error.kind).to.equal('execution');
        expect(result.success || result.error.message)
          .to.include('A hook of git was replaced.')
          .and.include('said');
        expect(await happens(() => processesWith(marker).length === 0)).to.equal(true);
        expect(gone).to.equal(1);
      });

      it('is not disturbed by what comes too late', async () => {
        const secret = put('.env', 'OLD');
        await outcomeOf(sandbox, ground.job({ view: view({ hide: [secret] }), onLive }));
        live?.end('too late');
        await live?.cover({ hide: [secret], readOnlyInside: [] });
        expect(gone).to.equal(1);
      });
    });
  });
