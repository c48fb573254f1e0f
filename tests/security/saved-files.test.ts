import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { CommandClient, MANY_CALLS } from '../support/command-client.js';
import { eventually } from '../support/eventually.js';
import { HonestProject } from '../support/honest-project.js';

const long = process.env.CASTELLAN_LONG === '1';
const SAVES = long ? 2_000 : 30;
const BETWEEN_MS = 25;

const WORKSPACE = `
extends: [builtin:workspace]
tools:
  execute_command:
    ${MANY_CALLS}
`;

/** Notes each content of the hidden file that it gets to see. */
const READER = `my $last = ''; open(my $o, '>>', 'seen'); select($o); $| = 1;
while (1) { if (open(my $f, '<', '.env')) { my $t = <$f> // ''; if ($t ne $last) { $last = $t; print $t; } close $f; } }`;
/** Opens the protected file whenever it can, and writes: at once, or as soon as it is covered for everybody else. */
const WRITER = `my ($word, $waits) = @ARGV;
while (1) { if (open(my $f, '>>', 'CLAUDE.md')) { if ($waits) { while (open(my $g, '>>', 'CLAUDE.md')) { close $g; } } syswrite $f, "$word\\n"; close $f; } }`;

describe('Files that are saved by renaming while commands try to reach them without pause', function () {
  this.timeout(long ? 1_200_000 : 120_000);
  let project: HonestProject;
  let client: CommandClient;
  const at = (name: string): string => join(project.workspace, name);

  before(async () => {
    project = new HonestProject();
    writeFileSync(at('.env'), 'SECRET=0\n');
    writeFileSync(at('CLAUDE.md'), 'rules 0\n');
    writeFileSync(at('reader.pl'), READER);
    writeFileSync(at('writer.pl'), WRITER);
    client = await CommandClient.start(project, project.policy(WORKSPACE));
  });

  after(async () => {
    await client?.stop();
    project?.remove();
  });

  /** As editors do it. */
  function save(name: string, text: string): void {
    writeFileSync(at(`${name}.new`), text);
    renameSync(at(`${name}.new`), at(name));
  }

  it(`are never written through a descriptor that was opened before the cover, in ${SAVES} saves`, async () => {
    // Who holds the file is ended, and tries again.
    for (const line of ['perl reader.pl', 'perl writer.pl NOW 0', 'perl writer.pl LATE 1'])
      await client.run({
        command: `touch "began-${line.length}"; while :; do ${line}; done`,
        background: true,
      });
    await eventually('all three run', () =>
      ['14', '20', '21'].every((length) => existsSync(at(`began-${length}`))),
    );
    let atOnce = 0;
    let late = 0;
    /** What the user's file holds before it is saved again: who writes into one that was replaced harms nobody. */
    const look = (): void => {
      const text = readFileSync(at('CLAUDE.md'), 'utf8');
      if (text.includes('LATE')) late += 1;
      if (text.includes('NOW')) atOnce += 1;
    };
    for (let number = 1; number <= SAVES; number += 1) {
      save('.env', `SECRET=${number}\n`);
      save('CLAUDE.md', `rules ${number}\n`);
      await sleep(BETWEEN_MS);
      look();
    }
    const seen = existsSync(at('seen')) ? readFileSync(at('seen'), 'utf8').trim().split('\n').length : 0;
    if (long)
      console.log(
        `      of ${SAVES} saves: ${seen} read and ${atOnce} written in the moment before the stop`,
      );
    expect(late, 'written after the file was covered').to.equal(0);
  });
});
