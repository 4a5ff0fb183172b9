import { mappingHash } from '../../importers/formats/generic/format.ts';
import { guessMapping } from '../../importers/formats/generic/guess.ts';
import { pathsAt, placesIn, previewMapping, roleValues, sampleOf } from '../../importers/formats/generic/look.ts';
import { formats } from '../../importers/formats/index.ts';
import type { Sniff } from '../../importers/types.ts';
import { readMapping } from '../../model/mapping/read.ts';
import type { Mapping } from '../../model/mapping/types.ts';
import type { ProtocolError } from '../../protocol/methods.ts';
import type { Handlers } from '../../protocol/serve.ts';
import type { MappingInfo } from '../../protocol/types.ts';
import type { Library } from '../../store/index.ts';
import { err, ok, type Result } from '../../util/result.ts';
import { isRecord, recordAt, stringAt } from '../../util/unknown.ts';
import { type Engine, failure } from '../engine.ts';
import { openRegular } from '../files/regularFile.ts';
import { fittingReadings, lookAt } from '../jobs/mapped.ts';

type MappingMethods = 'mapping.list' | 'mapping.save' | 'mapping.remove' | 'mapping.guess' | 'mapping.preview';

/** Mappings of files that no format knows: the saved ones, and how one is made. */
export function mappingHandlers(engine: Engine): Pick<Handlers, MappingMethods> {
  const { library } = engine;
  const { mappings } = library.tables;
  return {
    'mapping.list': () => ok({ mappings: savedMappings(library) }),
    async 'mapping.save'({ name, mapping: value }) {
      const read = readMapping(isRecord(value) ? { ...value, name } : value);
      if (read.mapping === null) return err(invalid(read.faults[0]?.text ?? 'it is none'));
      if (read.mapping.name === '') return err(invalid('it needs a name'));
      const hash = mappingHash(read.mapping);
      await engine.writable();
      mappings.save(hash, read.mapping.name, JSON.stringify(read.mapping));
      return ok({ hash });
    },
    async 'mapping.remove'({ name }) {
      await engine.writable();
      return ok({ removed: mappings.remove(name) });
    },
    async 'mapping.guess'({ path }) {
      const looked = await look(path);
      if (!looked.ok) return looked;
      const { seen } = looked.value;
      const known = formats.detect(seen);
      return ok({
        format: known.ok && !known.value.isMisfit ? known.value.format.id : null,
        sample: sampleOf(seen),
        shape: seen.shape,
        looksLike: seen.looksLike,
        places: placesIn(seen),
        guess: guessMapping(seen),
        fitting: fittingReadings(library, seen).flatMap(({ name }) => name ?? []),
      });
    },
    async 'mapping.preview'({ path, mapping: value, limit = 50 }) {
      const looked = await look(path);
      if (!looked.ok) return looked;
      const { seen, bytes, whole } = looked.value;
      const { mapping, faults } = readMapping(value);
      const preview = mapping === null ? null : previewMapping(bytes, whole, mapping, limit);
      return ok({ preview, faults, fields: fieldsAt(seen, value) });
    },
  };
}

/** The saved mappings, by name. */
export function savedMappings(library: Library): readonly MappingInfo[] {
  return library.tables.mappings.saved().flatMap(({ hash, name, json, savedAt }) => {
    const value: unknown = JSON.parse(json);
    const { mapping } = readMapping(value);
    return mapping === null || name === null ? [] : [{ hash, name, savedAt, mapping }];
  });
}

/** Keeps a mapping so that an import can be named by its hash. */
export function keepMapping(
  library: Library,
  value: unknown,
): Result<{ hash: string; mapping: Mapping }, ProtocolError> {
  const read = readMapping(value);
  if (read.mapping === null) {
    const [first] = read.faults;
    return err(
      invalid(first === undefined ? 'it is none' : `${first.field === '' ? '' : `${first.field}: `}${first.text}`),
    );
  }
  const hash = mappingHash(read.mapping);
  library.tables.mappings.keep(hash, JSON.stringify(read.mapping));
  return ok({ hash, mapping: read.mapping });
}

function invalid(why: string): ProtocolError {
  return failure('mapping.invalid', `This mapping cannot be used: ${why}.`);
}

async function look(path: string): Promise<Result<Awaited<ReturnType<typeof lookAt>>, ProtocolError>> {
  try {
    await using file = await openRegular(path);
    return ok(await lookAt(file));
  } catch (error) {
    if (error instanceof Error && 'code' in error) {
      return err(failure('mapping.unreadable', `${path} could not be read (${String(error.code)}).`));
    }
    throw error;
  }
}

// Whatever else is wrong with a mapping: what is where it looks for messages, calls and results can be shown.
function fieldsAt(seen: Sniff, value: unknown) {
  const fields = isRecord(value) ? value : {};
  const at = stringAt(fields, 'at') ?? '$';
  const rules = Array.isArray(fields.messages) ? fields.messages.filter(isRecord) : [];
  const listAt = (kind: 'calls' | 'results') => {
    const path = rules.map((rule) => stringAt(recordAt(rule, kind) ?? {}, 'at')).find((one) => one !== undefined);
    return path === undefined ? [] : pathsAt(seen, at, path);
  };
  const transcripts = stringAt(recordAt(fields, 'transcripts') ?? {}, 'at') ?? '$';
  return {
    message: pathsAt(seen, at),
    call: listAt('calls'),
    result: listAt('results'),
    transcript: pathsAt(seen, transcripts),
    roles: rules.map((rule) => roleValues(seen, at, stringAt(recordAt(rule, 'role') ?? {}, 'path'))),
  };
}
