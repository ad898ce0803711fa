"""Keywords: the functions by which stored texts and queries are cut into the same terms, and facts that use them.

``memory_terms`` is what the rest calls: words stemmed with the English configuration, at their positions, and beside
them what must be found exactly: identifiers in one piece, pairs of neighbouring Chinese, Japanese or Korean characters.
``memory_phrase`` is the query that asks for a text word for word. See docs/decisions/0017.
"""

import django.contrib.postgres.search
from django.db import migrations, models

import memoryhub.memory.models

# The characters between words: ASCII punctuation in all functions, and what Unicode has of it in memory_words. They are
# listed, since what counts as a letter depends on the server's locale. No expression looks behind: PostgreSQL then reads
# the text from its start at every place.
_FUNCTIONS = r"""
-- One spelling for what people take for the same: lower case, no accents, one kind of apostrophe and hyphen, 1,250 as
-- 1250, no 's and n't, a date apart from its time. 50,000 characters are read, so that no text is too long for a tsvector.
CREATE FUNCTION memory_plain(source text) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT SET search_path = pg_catalog, public AS $$
DECLARE t text := left(source, 50000);
BEGIN
  IF octet_length(t) > length(t) THEN
    t := regexp_replace(normalize(t, NFKD), '[\u0300-\u036f\u00ad\u200b-\u200d\u2060\ufeff]+', '', 'g');
    t := translate(left(normalize(lower(t), NFC), 50000), '’‘ʼ‐‑−øłđðħı', '''''''---olddhi');
    t := replace(replace(replace(t, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe');
  ELSE
    t := lower(t);
  END IF;
  IF strpos(t, '''') > 0 THEN
    t := regexp_replace(t, '''(?=(?:s|t|d|m|ll|re|ve)(?![a-z0-9]))', ' ', 'g');
  END IF;
  IF strpos(t, ',') > 0 THEN
    t := regexp_replace(t, '([0-9]),(?=[0-9]{3}(?![0-9]))', '\1', 'g');
  END IF;
  IF t ~ '-[0-9]{2}t[0-9]' THEN
    t := regexp_replace(t, '(-[0-9]{2})t(?=[0-9])', '\1 ', 'g');
  END IF;
  RETURN t;
END $$;

-- Identifiers in one piece: words joined by - _ . : / @ + ~ or an apostrophe (which is left out), the stretches of them
-- between : / @ + ~, and names like c++. Longer ones than 200 characters are nobody's query.
CREATE FUNCTION memory_wholes(plain text) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT SET search_path = pg_catalog, public AS $$
DECLARE found text[];
BEGIN
  IF plain ~ '[^\s!-/:-@[-`{-~][-_.:/@+~''#][^\s!-*,-/:-@[-`{-~]|[a-z][+#]' THEN
    SELECT array_agg(DISTINCT whole) INTO found FROM (
      SELECT replace(m[1], '''', '') AS whole
      FROM regexp_matches(plain, '([^\s!-/:-@[-`{-~]+(?:[-_.:/@+~''][^\s!-/:-@[-`{-~]+)+)', 'g') AS m
      UNION ALL
      SELECT m[1] FROM regexp_matches(plain, '([^\s!-/:-@[-`{-~]+(?:[-_.][^\s!-/:-@[-`{-~]+)+)', 'g') AS m
      UNION ALL
      SELECT m[1] FROM regexp_matches(plain, '(?:^|[^a-z0-9])([a-z]+(?:\+\+|#))(?![a-z0-9+#])', 'g') AS m
    ) AS pieces WHERE length(whole) <= 200;
  END IF;
  RETURN coalesce(found, '{}');
END $$;

-- Words with blanks between them, a character of Chinese, Japanese or Korean being a word. The one or two digits of a
-- version, a date or a time of day say nothing alone, so 1.2.3 is not found by every 2.
CREATE FUNCTION memory_words(plain text) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT SET search_path = pg_catalog, public AS $$
DECLARE t text := plain;
BEGIN
  IF t ~ '[0-9][.:/]v?[0-9]' THEN
    -- \x01 stands where digits were, so that the next ones still have some before them; each pass reaches every other.
    t := regexp_replace(t, '([0-9][.:/]v?)[0-9]{1,2}(?![a-z0-9])', E'\\1\x01', 'g');
    t := regexp_replace(t, E'([0-9\x01][.:/]v?)[0-9]{1,2}(?![a-z0-9])', E'\\1\x01', 'g');
    t := regexp_replace(t, E'(^|[^a-z0-9])v?[0-9]{1,2}(?=[.:/]v?[0-9\x01])', '\1 ', 'g');
  END IF;
  t := regexp_replace(t, E'[\x01-/:-@[-`{-\x7f]+', ' ', 'g');
  IF octet_length(t) > length(t) THEN
    t := regexp_replace(t, '[\u0080-\u00bf\u00d7\u00f7\u02b0-\u02ff\u2000-\u2bff\u3000-\u3004\u3008-\u3020\u3030'
      || '\u303d\ue000-\uf8ff\ufe10-\ufe6f\U0001f000-\U0001faff]+', ' ', 'g');
    t := regexp_replace(t, '([' || memory_unspaced() || '])', ' \1 ', 'g');
  END IF;
  RETURN t;
END $$;

-- Ranges of the scripts that are written without blanks, for a bracket of a regular expression.
CREATE FUNCTION memory_unspaced() RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog AS $$
  SELECT '\u3005-\u3007\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff'
$$;

-- Neighbouring characters of such scripts in pairs: those that begin at an odd place of a run, then those at an even one.
CREATE FUNCTION memory_pairs(plain text) RETURNS tsvector
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT SET search_path = pg_catalog, public AS $$
DECLARE
  one text := '[' || memory_unspaced() || ']';
  runs text := regexp_replace(plain, '[^' || memory_unspaced() || ']+', ' ', 'g');
  pair text := '(' || one || '{2})';
BEGIN
  RETURN strip(to_tsvector('pg_catalog.simple', regexp_replace(runs, pair, '\1 ', 'g')
    || ' ' || regexp_replace(regexp_replace(runs, '(^| )' || one, ' ', 'g'), pair, '\1 ', 'g')));
END $$;

-- Capitals inside a sentence that are common words otherwise: Will, IT, the Who.
CREATE FUNCTION memory_capitals(source text) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT SET search_path = pg_catalog, public AS $$
BEGIN
  IF source !~ '[a-z0-9,;:)] [A-Z]' THEN
    RETURN '{}';
  END IF;
  RETURN ARRAY(
    SELECT DISTINCT lower(word)
    FROM regexp_matches(left(source, 50000), '[a-z0-9,;:)] ((?:[A-Z][A-Za-z]+ ?)+)(?![A-Za-z])', 'g') AS m,
         regexp_split_to_table(m[1], ' ') AS word
    WHERE word <> '' AND ts_lexize('pg_catalog.english_stem', lower(word)) = '{}');
END $$;

CREATE FUNCTION memory_terms(source text) RETURNS tsvector
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT SET search_path = pg_catalog, public AS $$
DECLARE
  plain text := memory_plain(source);
  words text := memory_words(plain);
  terms tsvector := to_tsvector('pg_catalog.english', words)
    || array_to_tsvector(memory_wholes(plain) || memory_capitals(source));
BEGIN
  IF octet_length(plain) > length(plain) THEN
    terms := terms || memory_pairs(plain);
  END IF;
  -- A query of common words alone still asks for something.
  RETURN CASE WHEN length(terms) = 0 THEN to_tsvector('pg_catalog.simple', words) ELSE terms END;
END $$;

CREATE FUNCTION memory_phrase(source text) RETURNS tsquery
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT SET search_path = pg_catalog, public AS $$
DECLARE
  plain text := memory_plain(source);
  words text := memory_words(plain);
  phrase tsquery := phraseto_tsquery('pg_catalog.english', words);
  whole text;
BEGIN
  FOREACH whole IN ARRAY memory_wholes(plain) LOOP
    phrase := phrase && ('''' || replace(whole, '''', '''''') || '''')::tsquery;
  END LOOP;
  RETURN CASE WHEN numnode(phrase) = 0 THEN phraseto_tsquery('pg_catalog.simple', words) ELSE phrase END;
END $$;

GRANT EXECUTE ON FUNCTION memory_plain(text), memory_wholes(text), memory_words(text), memory_unspaced(),
  memory_pairs(text), memory_capitals(text), memory_terms(text), memory_phrase(text) TO mh_app, mh_backup;
"""

_NO_FUNCTIONS = """
DROP FUNCTION memory_phrase(text); DROP FUNCTION memory_terms(text); DROP FUNCTION memory_capitals(text);
DROP FUNCTION memory_pairs(text); DROP FUNCTION memory_unspaced(); DROP FUNCTION memory_words(text);
DROP FUNCTION memory_wholes(text); DROP FUNCTION memory_plain(text);
"""


class Migration(migrations.Migration):
    dependencies = [("memory", "0008_fact_position")]

    operations = [
        migrations.RunSQL(_FUNCTIONS, _NO_FUNCTIONS),
        # A generated column can not be changed, so it is made anew; nothing but its own index of words is lost.
        migrations.RemoveField("fact", "search"),
        migrations.AddField(
            "fact",
            "search",
            models.GeneratedField(
                db_persist=True,
                expression=memoryhub.memory.models.Terms(models.F("statement")),
                output_field=django.contrib.postgres.search.SearchVectorField(),
            ),
        ),
    ]
