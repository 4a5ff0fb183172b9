import { type MappingFault, readMapping } from '../../core/model/mapping/read.ts';
import type { Mapping } from '../../core/model/mapping/types.ts';
import { usageFailure } from './failure.ts';
import { readSmallText } from './smallFile.ts';

/** Reads a mapping from a file. Fails with what is wrong with it, one line a fault. */
export async function readMappingFile(file: string): Promise<Mapping> {
  const text = readSmallText(file);
  const { mapping, faults } = readMapping(parsed(file, text));
  if (mapping !== null) return mapping;
  throw usageFailure(`${file} is not a mapping: ${faults.map(faultLine).join('; ')}`, 'mapping.invalid');
}

function faultLine({ field, text }: MappingFault): string {
  return field === '' ? text : `${field}: ${text}`;
}

function parsed(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw usageFailure(`${file} is not JSON: ${error.message}`, 'mapping.invalid');
  }
}
