import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { TaskTwins } from '../../support/task-twins.js';

const hasVenv = spawnSync('/usr/bin/python3', ['-c', 'import venv, ensurepip']).status === 0;

/** A package with a fault, its tests, and a wheel that it needs, made by hand. */
const MAKE = String.raw`
mkdir -p wheels src/report tests
python3 - <<'END'
import base64, hashlib, zipfile
files = {
    'tabulated/__init__.py': 'def row(*cells):\n    return " | ".join(str(cell) for cell in cells)\n',
    'tabulated-1.2.0.dist-info/METADATA': 'Metadata-Version: 2.1\nName: tabulated\nVersion: 1.2.0\n',
    'tabulated-1.2.0.dist-info/WHEEL': 'Wheel-Version: 1.0\nGenerator: hand\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
}
with zipfile.ZipFile('wheels/tabulated-1.2.0-py3-none-any.whl', 'w') as wheel:
    record = ''
    for name, text in files.items():
        wheel.writestr(zipfile.ZipInfo(name), text)
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b'=').decode()
        record += f'{name},sha256={digest},{len(text)}\n'
    record += 'tabulated-1.2.0.dist-info/RECORD,,\n'
    wheel.writestr(zipfile.ZipInfo('tabulated-1.2.0.dist-info/RECORD'), record)
END
cat > src/report/__init__.py <<'END'
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context

from tabulated import row


def mean(values):
    return sum(values) // len(values)


def square(value):
    return value * value


def squares(values):
    with get_context("fork").Pool(2) as pool:
        return pool.map(square, values)


def lines(table):
    with ThreadPoolExecutor(4) as pool:
        return list(pool.map(lambda cells: row(*cells), table))
END
: > tests/__init__.py
cat > tests/test_report.py <<'END'
import unittest

from report import lines, mean, squares


class Report(unittest.TestCase):
    def test_mean(self):
        self.assertEqual(mean([1, 2]), 1.5)

    def test_squares(self):
        self.assertEqual(squares(range(5)), [0, 1, 4, 9, 16])

    def test_lines(self):
        self.assertEqual(lines([(1, "a"), (2, "b")]), ["1 | a", "2 | b"])
END
echo 'tabulated==1.2.0' > requirements.txt`;

const plain = (text: string): string =>
  text.replace(/in \d+\.\d+s/g, 'in S').replace(/^\[notice\].*\n/gm, '');
const RUN = 'PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=src .venv/bin/python -m unittest';

if (hasVenv)
  describe('An agent that mends a Python project in a virtual environment', function () {
    this.timeout(300_000);
    const twins = new TaskTwins();
    before(() => twins.begin(MAKE));
    after(() => twins.stop());

    /** The environment has whole paths and times in it: what counts is what it does. */
    const same = (line: string) => twins.same(line, { output: plain, isTreeMoving: true });

    it('makes the environment, installs, finds the fault, mends it and sees the tests pass', async () => {
      await same('python3 -m venv .venv && ls .venv/bin | sort');
      await same(`${RUN} 2>&1 | grep -c ModuleNotFoundError`);
      await same('.venv/bin/pip install --quiet --no-index --find-links wheels -r requirements.txt; echo $?');
      await same('.venv/bin/pip list --format=freeze | grep -i tabulated; .venv/bin/pip check');
      await same(`${RUN} 2>&1 | grep -E "^(FAIL|AssertionError|Ran|FAILED)"`);
      await same(`${RUN} tests.test_report.Report.test_squares 2>&1 | tail -1`);
      await same('grep -n "//" src/report/__init__.py');
      const edit = {
        path: 'src/report/__init__.py',
        old_text: 'sum(values) // len',
        new_text: 'sum(values) / len',
      };
      const { isError } = await twins.person.reads('edit_file', edit);
      expect(isError).to.equal(false);
      await twins.plain("sed -i 's#sum(values) // len#sum(values) / len#' src/report/__init__.py");
      await same(`${RUN} 2>&1 | tail -1; echo "\${PIPESTATUS[0]}"`);
    });

    it('works in it as people do: activated, with variables, here-documents and a program that is installed', async () => {
      await same('. .venv/bin/activate && python -c "import sys; print(sys.prefix != sys.base_prefix)"');
      await same(
        "export PYTHONPATH=src; .venv/bin/python -B - <<'END'\nfrom report import mean\nprint(mean([1, 2, 6]))\nEND",
      );
      await same(
        '.venv/bin/python -B -m compileall -q src && find src -name "*.pyc" | wc -l; find . -name __pycache__ -not -path "./.venv/*" -exec rm -r {} +',
      );
      await same(
        '.venv/bin/pip uninstall -y --quiet tabulated; .venv/bin/python -c "import tabulated" 2>&1 | tail -1',
      );
      await same('rm -rf .venv');
      twins.sameFiles('the environment has gone');
    });
  });
