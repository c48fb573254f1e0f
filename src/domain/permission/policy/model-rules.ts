import { Result } from '../../result.js';
import { compilePattern, type PathPattern } from '../path/path-pattern.js';

const EVERY_MODEL = '*';

/** The models that a tool may use: names, or patterns of them. `*` is any model. */
export class ModelRules {
  private constructor(
    readonly names: readonly string[],
    private readonly patterns: readonly PathPattern[],
  ) {}

  static compile(names: readonly string[]): Result<ModelRules> {
    const patterns: PathPattern[] = [];
    for (const name of names) {
      const pattern = compilePattern(name);
      if (!pattern.success) return pattern;
      patterns.push(pattern.value);
    }
    return Result.ok(new ModelRules(names, patterns));
  }

  allows(model: string): boolean {
    return this.names.includes(EVERY_MODEL) || this.patterns.some((pattern) => pattern.matches(model));
  }
}
