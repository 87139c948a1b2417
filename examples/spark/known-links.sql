-- Which links lead to pages that were fetched? A filter of ten thousand pages, built and asked in SQL:
--
--   spark-sql \
--     --jars bloomery-api.jar,bloomery-standard.jar,bloomery-blocked.jar,bloomery-spark.jar,hash4j.jar \
--     --conf spark.sql.extensions=io.bloomery.spark.BloomeryExtensions -f known-links.sql
--
-- Behind each query stands what it prints.

CREATE OR REPLACE TEMPORARY VIEW pages AS
SELECT concat('https://example.org/', id) AS url, id % 2 AS site FROM range(10000);

CREATE OR REPLACE TEMPORARY VIEW links AS
SELECT concat('https://example.org/', 3 * id) AS target FROM range(5000);

SELECT count(*) FROM links
WHERE bloomery_might_contain((SELECT bloomery_agg(url, 10000, 1e-9) FROM pages), target);
-- 3334

-- The file of the filter is a value: write it where services read it.
SELECT CAST(substring(bloomery_agg(url, 10000, 0.001), 1, 8) AS STRING) FROM pages;
-- BLOOMERY

-- One for each site.
SELECT site, CAST(substring(bloomery_agg(url, 5000, 0.01, 'variant=blocked'), 1, 8) AS STRING)
FROM pages GROUP BY site ORDER BY site;
-- 0	BLOOMERY
-- 1	BLOOMERY
