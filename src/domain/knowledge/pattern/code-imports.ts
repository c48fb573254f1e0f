export interface CodeImport {
  readonly module: string;
  readonly line: number;
  readonly column: number;
}

const SCRIPT =
  /(?:^|[\s;])(?:import|export)\s[^'"\n;]*?from\s*['"]([^'"\n]+)['"]|(?:^|[\s;])import\s*['"]([^'"\n]+)['"]|\b(?:require|import)\(\s*['"]([^'"\n]+)['"]/;
const PYTHON = /^\s*from\s+([\w.]+)\s+import\b|^\s*import\s+([\w.]+(?:\s*,\s*[\w.]+)*)/;
const GO_SINGLE = /^\s*import\s+(?:[\w.]+\s+)?"([^"]+)"/;
const GO_MEMBER = /^\s*(?:[\w.]+\s+)?"([^"]+)"\s*$/;
const DOTTED = /^\s*(?:import|using)\s+(?:static\s+)?([\w.]+(?:\.\*)?)\s*;?/;

/** Lists what a piece of code imports. A statement over several lines is reported at its last one. */
export function importsIn(code: string, language: string | undefined): readonly CodeImport[] {
  let inGoBlock = false;
  return code.split('\n').flatMap((text, index) => {
    const line = text.slice(0, 1000);
    if (language === 'go') {
      if (/^\s*import\s*\(/.test(line)) inGoBlock = true;
      else if (/^\s*\)/.test(line)) inGoBlock = false;
    }
    return modulesOf(line, language, inGoBlock).map((module) => ({
      module,
      line: index + 1,
      column: line.indexOf(module) + 1,
    }));
  });
}

function modulesOf(line: string, language: string | undefined, inGoBlock: boolean): readonly string[] {
  switch (language) {
    case 'python':
      return groups(PYTHON, line).flatMap((list) => list.split(',').map((name) => name.trim()));
    case 'go':
      return groups(inGoBlock ? GO_MEMBER : GO_SINGLE, line);
    case 'java':
    case 'kotlin':
    case 'csharp':
      return groups(DOTTED, line);
    default:
      return groups(
        /^\s*\}\s*from\s*['"]([^'"\n]+)['"]/.test(line) ? /from\s*['"]([^'"\n]+)['"]/ : SCRIPT,
        line,
      );
  }
}

function groups(expression: RegExp, line: string): readonly string[] {
  return (expression.exec(line)?.slice(1) ?? []).filter((group) => group !== undefined);
}

/**
 * Returns true if a rule's name means a module: `lodash` also means `lodash/fp`, `java.sql` also
 * `java.sql.Connection`; a star matches anything.
 */
export function importMatches(wanted: string, module: string): boolean {
  const plain = wanted.replace(/[./]?\*+$/, '');
  if (plain === '') return true;
  if (plain.includes('*')) {
    const parts = plain.split('*');
    let at = 0;
    return parts.every((part, index) => {
      const found = module.indexOf(part, at);
      at = found + part.length;
      return index === 0 ? found === 0 : found !== -1;
    });
  }
  return module === plain || module.startsWith(`${plain}/`) || module.startsWith(`${plain}.`);
}
