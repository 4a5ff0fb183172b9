import { migration001 } from './001.ts';
import { migration002 } from './002.ts';
import { migration003 } from './003.ts';
import { migration004 } from './004.ts';
import { migration005 } from './005.ts';
import { migration006 } from './006.ts';
import { migration007 } from './007.ts';
import { migration008 } from './008.ts';
import { migration009 } from './009.ts';
import { migration010 } from './010.ts';
import { migration011 } from './011.ts';
import { migration012 } from './012.ts';
import { migration013 } from './013.ts';
import { migration014 } from './014.ts';
import { migration015 } from './015.ts';
import { migration016 } from './016.ts';
import { migration017 } from './017.ts';
import { migration018 } from './018.ts';
import { migration019 } from './019.ts';
import { migration020 } from './020.ts';
import { migration021 } from './021.ts';
import { migration022 } from './022.ts';
import { migration023 } from './023.ts';

/**
 * All migrations in order: entry n brings a library from `user_version` n to n + 1. They only add; a released one is
 * never edited. After adding one, renew test/store/schema.snapshot and the digest below.
 */
export const MIGRATIONS: readonly string[] = [
  migration001,
  migration002,
  migration003,
  migration004,
  migration005,
  migration006,
  migration007,
  migration008,
  migration009,
  migration010,
  migration011,
  migration012,
  migration013,
  migration014,
  migration015,
  migration016,
  migration017,
  migration018,
  migration019,
  migration020,
  migration021,
  migration022,
  migration023,
];

/** The version this program writes. */
export const SCHEMA_VERSION = MIGRATIONS.length;

/** SHA-256 of the schema they make, see lazyStatements.ts: a test says the new one after adding a migration. */
export const SCHEMA_DIGEST = '6230b6ac944ad4289c07c4dca1fa8fcdddf6da4d2b1433781a6d41e4a1a7e544';
