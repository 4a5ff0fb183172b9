// What a stage reads it knows by name, and what it knows it reads: nobody is told that an option has no effect which has one,
// and no misspelt one goes without a word.
import { describe, expect, test } from 'vitest';
import { parseSpec } from '../../core/projection/parseSpec.ts';
import type { RegisteredStage } from '../../core/projection/registry.ts';
import { STAGES } from '../../core/projection/stages.ts';
import type { ParamSchema } from '../../core/view/types.ts';

type Options = Readonly<Record<string, unknown>>;

/** Values of every form that an option may have. */
const ANYTHING: readonly unknown[] = ['a', '', 1, 0, 0.5, true, false, {}, [], ['a'], { a: 'a' }, [{ type: 'a' }]];

/** Options of which every name that is asked for is noted. */
function watched(options: Options, asked: Set<string>): Options {
  const note = (key: string | symbol): void => {
    if (typeof key === 'string' && key !== 'toJSON') asked.add(key);
  };
  return new Proxy(options, {
    get(target, key) {
      note(key);
      return Reflect.get(target, key);
    },
    getOwnPropertyDescriptor(target, key) {
      note(key);
      return Reflect.getOwnPropertyDescriptor(target, key);
    },
  });
}

function valuesOf({ type, default: fallback, choices = [] }: ParamSchema): readonly unknown[] {
  const given = choices.map(({ value }) => value);
  const listed = type === 'list' ? [given.length > 0 ? given : ['a']] : given;
  return [...listed, ...(type === 'boolean' ? [true, false] : []), ...(fallback === null ? ['a'] : [fallback])];
}

/** All names that the stage asks for, whatever it is given. */
function askedBy(stage: RegisteredStage): ReadonlySet<string> {
  const asked = new Set<string>();
  const look = (options: Options): void => void stage.bind(watched(options, asked));
  look({});
  for (const schema of stage.params) for (const value of valuesOf(schema)) look({ [schema.name]: value });
  for (const name of [...asked]) for (const value of ANYTHING) look({ [name]: value });
  return asked;
}

const unknownIn = (stage: RegisteredStage, options: Options): readonly string[] =>
  stage
    .bind(options)
    .problems.flatMap(({ code, where }) => (code === 'spec.unknown_option' ? [where?.path ?? ''] : []));

/** `{a: {b: value}}` of `a.b`. */
const nested = (name: string, value: unknown): Options => {
  const [head = '', ...rest] = name.split('.');
  return { [head]: rest.length === 0 ? value : nested(rest.join('.'), value) };
};

describe.each(STAGES.stages.map((stage) => [stage.kind, stage] as const))('%s', (_kind, stage) => {
  test('knows each name that it reads, in each form', () => {
    const told = [...askedBy(stage)].flatMap((name) =>
      ANYTHING.filter((value) => unknownIn(stage, { [name]: value }).includes(name)).map(
        (value) => `${name}: ${JSON.stringify(value)}`,
      ),
    );
    expect(told).toEqual([]);
  });

  test('reads each name that it knows', () => {
    const names = stage.params.flatMap((schema) =>
      [schema.name, ...(schema.aliases ?? [])].map((name) => [name, schema] as const),
    );
    const unread = names.filter(([name, schema]) => {
      const told = valuesOf(schema).some((value) => unknownIn(stage, nested(name, value)).length > 0);
      // A value that it cannot be is an error only where the name is read.
      const wrong = ANYTHING.every((value) => stage.bind(nested(name, value)).problems.length === 0);
      const isOpen =
        schema.type === 'string' || schema.type === 'text' || schema.type === 'code' || schema.type === 'list';
      return told || (wrong && !isOpen);
    });
    expect(unread.map(([name]) => name)).toEqual([]);
  });

  test('tells of a name that is none, also in a bare option and in a spec', () => {
    const options = { zz_no_such_option: 1 };
    expect(unknownIn(stage, options)).toEqual(['zz_no_such_option']);
    for (const spec of [
      { policy: stage.kind, ...options },
      { version: 1, stages: [{ kind: stage.kind, options }] },
    ]) {
      const parsed = parseSpec(spec, STAGES);
      const problems = parsed.ok ? parsed.value.warnings : parsed.error;
      expect(
        problems.map(({ where }) => where?.path ?? '').filter((path) => path.endsWith('zz_no_such_option')),
      ).toHaveLength(1);
    }
  });
});
