import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventually } from '../../support/eventually.js';
import { TaskTwins } from '../../support/task-twins.js';

const LONG = process.env.CASTELLAN_LONG === '1';
/** Seconds that all of it takes at least; a real compiler runs in between. */
const PARTS = LONG ? 36 : 4;
const PAUSE = LONG ? 5 : 0.3;

/** Several files and a step that takes its time, with a dependency on a header and a target that is written in pieces. */
const MAKE = `
mkdir -p src include
printf '#define GREETING "hello"\\n' > include/greeting.h
for i in $(seq 1 ${PARTS}); do printf '#include "greeting.h"\\n#include <stdio.h>\\nvoid part%d(void) { printf("%%s from %d\\\\n", GREETING); }\\n' $i $i > src/part$i.c; done
{ for i in $(seq 1 ${PARTS}); do echo "void part$i(void);"; done; echo 'int main(void) {'; for i in $(seq 1 ${PARTS}); do echo "  part$i();"; done; echo '  return 0;'; echo '}'; } > src/main.c
cat > Makefile <<'EOF'
OBJECTS := $(patsubst src/%.c,build/%.o,$(wildcard src/*.c))
program: $(OBJECTS)
	$(CC) -o $@ $^
build/%.o: src/%.c include/greeting.h
	@mkdir -p build
	@sleep ${PAUSE}
	$(CC) -Iinclude -Wall -c -o $@ $<
slow.bin: src/main.c
	@head -c 1000 /dev/zero > $@; touch begun; sleep 300; head -c 2000 /dev/zero > $@
clean:
	rm -rf build program begun
.PHONY: clean
EOF`;

const sorted = (text: string): string => text.split('\n').sort().join('\n');

describe('An agent that builds C with make', function () {
  this.timeout(LONG ? 1_200_000 : 120_000);
  const twins = new TaskTwins();
  before(() => twins.begin(MAKE));
  after(() => twins.stop());

  it(`gets the program that plain make builds, warnings and errors in place, after ${Math.ceil(PARTS * PAUSE)} s and more`, async () => {
    await twins.same('make', { output: sorted });
    await twins.same('./program | sort | tail -2; make; touch include/greeting.h; make -n | wc -l');
    await twins.same(
      "sed -i 's/hello/bonjour/' include/greeting.h && make -j2 2>&1 | sort && ./program | head -1",
    );
    await twins.same(
      "printf 'int broken(void) { return missing; }\\n' > src/part1.c; make 2>&1 | head -3; echo ${PIPESTATUS[0]}",
    );
    await twins.same('git init -q . && git checkout src 2>&1; make clean && ls');
  });

  it('leaves no half output behind when it is interrupted, so that the next make begins anew', async () => {
    const { texts } = await twins.person.reads('execute_command', {
      command: 'make slow.bin',
      background: true,
    });
    const [id] = /p_[\w-]+/.exec(texts.join(' ')) ?? [];
    await eventually('it has begun', () => existsSync(join(twins.folder, 'begun')));
    const stopped = await twins.person.reads('stop_process', { process_id: id });
    expect(stopped.isError, stopped.texts.join(' ')).to.equal(false);
    await twins.plain('timeout 2 make slow.bin');
    expect(existsSync(join(twins.folder, 'slow.bin'))).to.equal(false);
    twins.sameFiles('the interruption');
    await twins.same('make -q slow.bin; echo $?');
  });

  it('is ended by its own timeout in the same way', async () => {
    await twins.same('rm -f begun; timeout 2 make slow.bin 2>/dev/null; echo $?; ls slow.bin');
    const { isError, texts } = await twins.person.reads('execute_command', {
      command: 'make slow.bin',
      timeout: 2,
    });
    expect(isError).to.equal(true);
    expect(texts.join(' ')).to.match(/timed out/i);
    expect(existsSync(join(twins.folder, 'slow.bin'))).to.equal(false);
  });
});
