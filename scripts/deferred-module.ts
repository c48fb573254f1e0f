import ts from 'typescript';

/** A class as the start has it: a name, and what the container gives to its constructor. */
interface DeferredClass {
  readonly name: string;
  readonly decorators: string;
  readonly parameters: readonly string[];
}

/** What others may ask of a module that is loaded by the first use of it. */
export interface DeferredModule {
  readonly functions: readonly string[];
  readonly classes: readonly DeferredClass[];
  /** Numbers and strings, as they are written. */
  readonly constants: readonly string[];
  /** The imports that the decorators of its classes need. */
  readonly imports: readonly string[];
}

/** undefined: it exports more than functions, classes without statics or parents, and plain constants. */
export function readDeferredModule(file: string, text: string): DeferredModule | undefined {
  const reader = new ModuleReader(ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true));
  return reader.read();
}

class ModuleReader {
  readonly #functions = new Set<string>();
  readonly #classes: DeferredClass[] = [];
  readonly #constants: string[] = [];
  /** The statement that imports a name, by the name. */
  readonly #sources = new Map<string, string>();
  readonly #asked = new Set<string>();

  constructor(private readonly source: ts.SourceFile) {}

  read(): DeferredModule | undefined {
    if (!this.source.statements.every((statement) => this.#accepts(statement))) return undefined;
    const own = new Set(this.#classes.map(({ name }) => name));
    const foreign = [...this.#asked].filter((name) => !own.has(name));
    const imports = foreign.flatMap((name) => this.#sources.get(name) ?? []);
    if (imports.length < foreign.length) return undefined;
    return {
      functions: [...this.#functions],
      classes: this.#classes,
      constants: this.#constants,
      imports: [...new Set(imports)],
    };
  }

  #accepts(statement: ts.Statement): boolean {
    if (ts.isImportDeclaration(statement)) return this.#takeImport(statement);
    if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) return true;
    if (ts.isExportDeclaration(statement)) return statement.isTypeOnly;
    if (ts.isFunctionDeclaration(statement)) return this.#takeFunction(statement);
    if (ts.isClassDeclaration(statement)) return !isExported(statement) || this.#takeClass(statement);
    if (!ts.isVariableStatement(statement)) return false;
    return (
      !isExported(statement) || statement.declarationList.declarations.every((one) => this.#takeValue(one))
    );
  }

  #takeImport({ importClause, moduleSpecifier }: ts.ImportDeclaration): boolean {
    // One that is imported for what it does.
    if (importClause === undefined) return false;
    const bindings = importClause.namedBindings;
    if (bindings === undefined || !ts.isNamedImports(bindings)) return true;
    for (const { name, propertyName } of bindings.elements) {
      const imported = propertyName === undefined ? name.text : `${propertyName.getText()} as ${name.text}`;
      this.#sources.set(name.text, `import { ${imported} } from ${moduleSpecifier.getText()};`);
    }
    return true;
  }

  #takeFunction(declaration: ts.FunctionDeclaration): boolean {
    if (!isExported(declaration)) return true;
    if (declaration.name === undefined) return false;
    this.#functions.add(declaration.name.text);
    return true;
  }

  #takeValue({ name, initializer }: ts.VariableDeclaration): boolean {
    if (!ts.isIdentifier(name) || initializer === undefined) return false;
    if (ts.isArrowFunction(initializer)) this.#functions.add(name.text);
    else if (isPlain(initializer)) this.#constants.push(`${name.text} = ${initializer.getText()}`);
    else return false;
    return true;
  }

  #takeClass(declaration: ts.ClassDeclaration): boolean {
    const { name, heritageClauses, members } = declaration;
    const extended = heritageClauses?.some(({ token }) => token === ts.SyntaxKind.ExtendsKeyword) ?? false;
    if (name === undefined || extended || has(declaration, ts.SyntaxKind.AbstractKeyword)) return false;
    if (members.some((member) => has(member, ts.SyntaxKind.StaticKeyword) || decoratorsOf(member).length > 0))
      return false;
    const parameters = members.filter(ts.isConstructorDeclaration).at(-1)?.parameters ?? [];
    this.#classes.push({
      name: name.text,
      decorators: this.#decorators(declaration),
      parameters: parameters.map((parameter, index) => `${this.#decorators(parameter)}a${index}`),
    });
    return true;
  }

  /** Their text, and a note of the names they use. */
  #decorators(node: ts.Node): string {
    const note = (part: ts.Node): void => {
      if (ts.isIdentifier(part)) this.#asked.add(part.text);
      else ts.forEachChild(part, note);
    };
    const decorators = decoratorsOf(node);
    for (const decorator of decorators) note(decorator);
    return decorators.map((decorator) => `${decorator.getText()} `).join('');
  }
}

function decoratorsOf(node: ts.Node): readonly ts.Decorator[] {
  return ts.canHaveDecorators(node) ? (ts.getDecorators(node) ?? []) : [];
}

function has(node: ts.Node, kind: ts.SyntaxKind): boolean {
  return (
    ts.canHaveModifiers(node) && (ts.getModifiers(node)?.some((modifier) => modifier.kind === kind) ?? false)
  );
}

function isExported(node: ts.Node): boolean {
  return has(node, ts.SyntaxKind.ExportKeyword);
}

function isPlain(node: ts.Expression): boolean {
  if (ts.isBinaryExpression(node)) return isPlain(node.left) && isPlain(node.right);
  return ts.isNumericLiteral(node) || ts.isStringLiteral(node);
}
