BEGIN TRANSACTION;
CREATE TABLE changefreq (        -- published changefreqs
    key INTEGER PRIMARY KEY,
    word TEXT NOT NULL
);
CREATE TABLE crowd (             -- directories of plain URLs: analysis.crowds.Crowd
    directory TEXT PRIMARY KEY,
    pattern INTEGER NOT NULL,
    asked INTEGER NOT NULL,      -- number of its listed pages when made-up URLs were requested
    is_held INTEGER NOT NULL     -- 1: its URLs wait
);
CREATE TABLE "earlier_extension" (         -- data of pages for sitemap extensions
    key INTEGER PRIMARY KEY,
    said TEXT NOT NULL           -- JSON without empty fields: images, videos, news, alternates
);
CREATE TABLE "earlier_final_lastmod" (     -- dates of pages, where the whole site changes them
    key INTEGER PRIMARY KEY,
    lastmod TEXT NOT NULL,
    source TEXT NOT NULL,
    evidence TEXT NOT NULL,
    disproved INTEGER NOT NULL,  -- core.lastmod.BITS of sources that were wrong
    is_trusted INTEGER NOT NULL  -- 0: published before its source lost trust
);
INSERT INTO "earlier_final_lastmod" VALUES(-8916090973901696593,'','','not json_ld (shared)',0,1);
INSERT INTO "earlier_final_lastmod" VALUES(-8860292295563005896,'','','not json_ld (shared)',0,1);
INSERT INTO "earlier_final_lastmod" VALUES(-8613581934599584161,'','','not json_ld (shared)',0,1);
INSERT INTO "earlier_final_lastmod" VALUES(-7587092627047443454,'','','not json_ld (shared)',0,1);
INSERT INTO "earlier_final_lastmod" VALUES(-6595091615942559755,'','','not json_ld (shared)',0,1);
INSERT INTO "earlier_final_lastmod" VALUES(-6278571618573927906,'','','not json_ld (shared)',0,1);
INSERT INTO "earlier_final_lastmod" VALUES(-5526222602597543076,'','','not json_ld (shared)',0,1);
INSERT INTO "earlier_final_lastmod" VALUES(-4855870623676788213,'','','not json_ld (shared)',0,1);
INSERT INTO "earlier_final_lastmod" VALUES(-4426051817414463471,'','','not json_ld (shared)',0,1);
INSERT INTO "earlier_final_lastmod" VALUES(-3931155551654495307,'','','not json_ld (shared)',0,1);
INSERT INTO "earlier_final_lastmod" VALUES(-3790247073180315134,'','','not json_ld (shared)',0,1);
INSERT INTO "earlier_final_lastmod" VALUES(-3088994153234991718,'','','not json_ld (shared)',0,1);
INSERT INTO "earlier_final_lastmod" VALUES(-1147417314772036276,'','','not json_ld (shared)',0,1);
INSERT INTO "earlier_final_lastmod" VALUES(-1111658922521940936,'','','not json_ld (shared)',0,1);
INSERT INTO "earlier_final_lastmod" VALUES(999935974965801918,'','','not json_ld (shared)',0,1);
INSERT INTO "earlier_final_lastmod" VALUES(1230749288082638149,'','','not json_ld (shared)',0,1);
INSERT INTO "earlier_final_lastmod" VALUES(1633332902991586130,'','','not json_ld (shared)',0,1);
INSERT INTO "earlier_final_lastmod" VALUES(2494644837736720043,'','','not json_ld (shared)',0,1);
INSERT INTO "earlier_final_lastmod" VALUES(2568082887589199977,'','','not json_ld (shared)',0,1);
INSERT INTO "earlier_final_lastmod" VALUES(2729125208742496758,'','','not json_ld (shared)',0,1);
INSERT INTO "earlier_final_lastmod" VALUES(2959532797007469365,'','','not json_ld (shared)',0,1);
INSERT INTO "earlier_final_lastmod" VALUES(4735658920800113889,'','','not json_ld (shared)',0,1);
INSERT INTO "earlier_final_lastmod" VALUES(5307038575586591011,'','','not json_ld (shared)',0,1);
INSERT INTO "earlier_final_lastmod" VALUES(5860868144645908169,'','','not json_ld (shared)',0,1);
INSERT INTO "earlier_final_lastmod" VALUES(7887034799035772945,'','','not json_ld (shared)',0,1);
CREATE TABLE "earlier_label" (             -- texts and attributes of links, if requested
    key INTEGER PRIMARY KEY,
    said BLOB NOT NULL           -- zlib of JSON: target, kind, text, nofollow of each
);
CREATE TABLE "earlier_link" (
    source INTEGER PRIMARY KEY,
    followed BLOB NOT NULL,      -- keys of the targets, 8 bytes each, native byte order
    nofollow BLOB NOT NULL,
    same_list BLOB NOT NULL      -- those of followed in the same list as the source
);
INSERT INTO "earlier_link" VALUES(-8860292295563005896,X'F609A9F6EACCDF25F537961A1E8779A4',X'',X'');
INSERT INTO "earlier_link" VALUES(-8613581934599584161,X'C9A6057D86FC555111F08981528193C2',X'',X'');
INSERT INTO "earlier_link" VALUES(-8547119171830756012,X'AB260F4243C29E22',X'',X'');
INSERT INTO "earlier_link" VALUES(-7587092627047443454,X'5C537076D2E94EB35F467800DE687688',X'',X'');
INSERT INTO "earlier_link" VALUES(-6819778811448790153,X'AB260F4243C29E22',X'',X'');
INSERT INTO "earlier_link" VALUES(-5526222602597543076,X'9A752B0F2FB021D5234122737763A649',X'',X'');
INSERT INTO "earlier_link" VALUES(-4855870623676788213,X'02921F585E5666CB38ACAF8B199892F0',X'',X'');
INSERT INTO "earlier_link" VALUES(-3790247073180315134,X'4C55E10F088E13F05263C51A9FC3AA16',X'',X'');
INSERT INTO "earlier_link" VALUES(-2287979406085084303,X'C493B244C29CAF72',X'',X'');
INSERT INTO "earlier_link" VALUES(-1298006056793338793,X'4505BBEBF47F1411',X'',X'');
INSERT INTO "earlier_link" VALUES(-1147417314772036276,X'E154B3A7B270B841',X'',X'');
INSERT INTO "earlier_link" VALUES(-1126903234409364077,X'02DF153DA74E0310',X'',X'');
INSERT INTO "earlier_link" VALUES(-1111658922521940936,X'AFD185AB7FAE4384B53BD49ADABA71C9',X'',X'');
INSERT INTO "earlier_link" VALUES(999935974965801918,X'11F0ABC75C60746D3830D6DC19EB0985',X'',X'');
INSERT INTO "earlier_link" VALUES(1153852409728327426,X'3B96442F06BC483B',X'',X'');
INSERT INTO "earlier_link" VALUES(1230749288082638149,X'AB260F4243C29E22698083ACC7A9A323A1EAF5EA2067614154CD18D665886289603E8CD795AE2A749138854A1E7E56B80B927D30657B9CBC77F3DBC04D475BA1D5F2799C512E33C371ABE336DA763FE0',X'',X'');
INSERT INTO "earlier_link" VALUES(2494644837736720043,X'0214DA2E743BB596BE73F8A9787CE00D',X'',X'');
INSERT INTO "earlier_link" VALUES(2568082887589199977,X'02921F585E5666CB38ACAF8B199892F0',X'',X'');
INSERT INTO "earlier_link" VALUES(4271870981309765179,X'F6679A196E4B56A6',X'',X'');
INSERT INTO "earlier_link" VALUES(7887034799035772945,X'359BBF0A665F12291E3A0DD26008DEA8',X'',X'');
INSERT INTO "earlier_link" VALUES(8263996199438291908,X'9385CA987A6F5CF0',X'',X'');
CREATE TABLE "earlier_page" (
    key INTEGER PRIMARY KEY,
    status INTEGER,
    title TEXT NOT NULL,
    text_hash INTEGER,
    content_hash INTEGER,        -- hash of everything that is equal in duplicates
    subject INTEGER,             -- hash of title, heading, language; NULL: not comparable
    signature BLOB NOT NULL,     -- core.document.shingles.signature
    pictures BLOB NOT NULL,      -- without a signature: core.document.shingles.signed_media
    text_length INTEGER NOT NULL, -- characters of the main text, without white space
    language TEXT NOT NULL,
    canonical TEXT NOT NULL,     -- contradictory ones are separated by spaces
    alternates BLOB NOT NULL,    -- keys of its language versions, packed as in link
    etag TEXT NOT NULL,
    last_modified TEXT NOT NULL,
    answered INTEGER NOT NULL,   -- seconds since the epoch; 0: not a document
    claims TEXT NOT NULL,        -- its dates of change: core.lastmod.pack
    lastmod TEXT NOT NULL,       -- from the page alone; see final_lastmod
    lastmod_source TEXT NOT NULL,
    lastmod_evidence TEXT NOT NULL,
    own_verdict TEXT NOT NULL,   -- from its response alone; the final verdict is in url
    own_evidence TEXT NOT NULL,
    own_reason TEXT NOT NULL,
    own_other_url TEXT NOT NULL,
    run INTEGER NOT NULL,
    visited INTEGER NOT NULL,    -- seconds since the epoch; answered: time of the last reading
    changed INTEGER,             -- see visit
    is_lasting INTEGER NOT NULL, -- 1: valid as long as the server answers 304
    revisit INTEGER NOT NULL,    -- items.Revisit
    validation INTEGER NOT NULL, -- items.Validation
    failures INTEGER NOT NULL,   -- failed runs in a row; the rest is from the last reading
    excerpt TEXT NOT NULL        -- the last column, so that others are read without it
);
INSERT INTO "earlier_page" VALUES(-8916090973901696593,200,'Page 13',-7507583263848612848,225579580940412758,NULL,X'',X'',215,'','',X'','"1-13"','',1795394428,'json_ld 1767225600 2026-01-01 2026-01-01','2026-01-01','json_ld','2026-01-01','listed','','','',1,1795394428,NULL,1,0,0,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. 13');
INSERT INTO "earlier_page" VALUES(-8860292295563005896,200,'Page 10',-1264015439487612931,-3330405562107803694,NULL,X'',X'',221,'','',X'','"1-10"','',1795394428,'json_ld 1767225600 2026-01-01 2026-01-01','2026-01-01','json_ld','2026-01-01','listed','','','',1,1795394428,NULL,1,0,0,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. 10 /21 /22');
INSERT INTO "earlier_page" VALUES(-8613581934599584161,200,'Page 8',-6450247560016174673,-4138430013497552119,NULL,X'',X'',220,'','',X'','"1-8"','',1795394428,'json_ld 1767225600 2026-01-01 2026-01-01','2026-01-01','json_ld','2026-01-01','listed','','','',1,1795394428,NULL,1,0,0,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. 8 /17 /18');
INSERT INTO "earlier_page" VALUES(-8547119171830756012,301,'',NULL,NULL,NULL,X'',X'',0,'','',X'','','',0,'','','','','redirect','301 to http://site.example/1','','http://site.example/1',1,1795394427,NULL,0,0,0,0,'');
INSERT INTO "earlier_page" VALUES(-7587092627047443454,200,'Page 3',-2993882437874520296,7881647789015969832,NULL,X'',X'',218,'','',X'','"1-3"','',1795394427,'json_ld 1767225600 2026-01-01 2026-01-01','2026-01-01','json_ld','2026-01-01','listed','','','',1,1795394427,NULL,1,0,0,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. 3 /7 /8');
INSERT INTO "earlier_page" VALUES(-6819778811448790153,200,'',330568554863146047,4009034216067314864,NULL,X'',X'',218,'','http://site.example/1',X'','','',1795394427,'','','','','canonicalised','canonical is http://site.example/1','','http://site.example/1',1,1795394427,NULL,1,0,0,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. again');
INSERT INTO "earlier_page" VALUES(-6595091615942559755,200,'Page 22',-8864812946251227011,2904143895859424166,NULL,X'',X'',215,'','',X'','"1-22"','',1795394429,'json_ld 1767225600 2026-01-01 2026-01-01','2026-01-01','json_ld','2026-01-01','listed','','','',1,1795394429,NULL,1,0,0,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. 22');
INSERT INTO "earlier_page" VALUES(-6460893679168362506,200,'Calendar',439887267218802859,4980253424197501104,-8839250500271384850,X'00000000E94D68000E463B029D0E93087777AE08B8423E09FE690D1443BA5E17060464185CFFBC198680851F8373991F1D600421326F3E239B60BD24C5C251257AF04B289AE46F2B7929A12B19397A30ABAB2F31FC879C33F1F115351FEAD0366616233A045C5149D451704A8C129D50FFFCB051EDDDAC5288E63D54C231DB56DC4CA859D6FC395C21AB2864A2703C64F8D6EE6718F0B77346CF887CC9D59E7DE406C97E8B72977F25507A800A501B897ED3C7934B07C9944598EB98E51E9E9D9E36B79EB2ED2DA2492154A40823DFA904EA6FAEF0D579AE0B6D83B0FD2B69B48EF728B570EC82B50DC1FFB8AF874CBD98D34EBDB6130CBF48D30BC1FFEE85C1E47C5CCD255197D12DB924D6C29F54D792BE8FDBD607D2DEDD1EA6DF236528E4D8C101F4FCC11DF64EC32FF920AA18FA',X'',551,'','',X'','','',1795394430,'','','','','listed','','','',1,1795394430,NULL,1,0,0,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair');
INSERT INTO "earlier_page" VALUES(-6278571618573927906,200,'Page 20',4792910977901515961,6601677747844635076,NULL,X'',X'',215,'','',X'','"1-20"','',1795394429,'json_ld 1767225600 2026-01-01 2026-01-01','2026-01-01','json_ld','2026-01-01','listed','','','',1,1795394429,NULL,1,0,0,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. 20');
INSERT INTO "earlier_page" VALUES(-5526222602597543076,200,'Page 7',2735089903676403378,-4924373657545318142,NULL,X'',X'',220,'','',X'','"1-7"','',1795394428,'json_ld 1767225600 2026-01-01 2026-01-01','2026-01-01','json_ld','2026-01-01','listed','','','',1,1795394428,NULL,1,0,0,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. 7 /15 /16');
INSERT INTO "earlier_page" VALUES(-5163801254169331567,404,'',NULL,NULL,NULL,X'',X'',0,'','',X'','','',0,'','','','','http_error','HTTP 404','','',1,1795394427,NULL,0,0,0,0,'');
INSERT INTO "earlier_page" VALUES(-4855870623676788213,200,'Page 2',-9162795479576079991,8313346374531608947,NULL,X'',X'',218,'','',X'','"1-2"','',1795394427,'json_ld 1767225600 2026-01-01 2026-01-01','2026-01-01','json_ld','2026-01-01','listed','','','',1,1795394427,NULL,1,0,0,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. 2 /5 /6');
INSERT INTO "earlier_page" VALUES(-4426051817414463471,200,'Page 18',3089813302451744001,-102355670114801022,NULL,X'',X'',215,'','',X'','"1-18"','',1795394429,'json_ld 1767225600 2026-01-01 2026-01-01','2026-01-01','json_ld','2026-01-01','listed','','','',1,1795394429,NULL,1,0,0,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. 18');
INSERT INTO "earlier_page" VALUES(-4381107084448894251,200,'',2654954084902690601,-2800033462023855095,NULL,X'',X'',142,'','',X'','','',1795394427,'','','','','noindex','<meta name="robots" content="noindex">','','',1,1795394427,NULL,1,0,0,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays.');
INSERT INTO "earlier_page" VALUES(-3931155551654495307,200,'Page 14',-7079647280454502982,-6220955902839284243,NULL,X'',X'',215,'','',X'','"1-14"','',1795394428,'json_ld 1767225600 2026-01-01 2026-01-01','2026-01-01','json_ld','2026-01-01','listed','','','',1,1795394428,NULL,1,0,0,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. 14');
INSERT INTO "earlier_page" VALUES(-3790247073180315134,200,'Page 5',6099705666387709018,771373463895098046,NULL,X'',X'',220,'','',X'','"1-5"','',1795394427,'json_ld 1767225600 2026-01-01 2026-01-01','2026-01-01','json_ld','2026-01-01','listed','','','',1,1795394427,NULL,1,0,0,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. 5 /11 /12');
INSERT INTO "earlier_page" VALUES(-3088994153234991718,200,'Page 15',6843455152759786790,-9176409896089415610,NULL,X'',X'',215,'','',X'','"1-15"','',1795394429,'json_ld 1767225600 2026-01-01 2026-01-01','2026-01-01','json_ld','2026-01-01','listed','','','',1,1795394429,NULL,1,0,0,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. 15');
INSERT INTO "earlier_page" VALUES(-2287979406085084303,200,'Calendar',-6080020657319888914,3943803393934375441,NULL,X'',X'',174,'','',X'','','',1795394427,'','','','','listed','','','',1,1795394427,NULL,1,0,0,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair /calendar?month=2026-02');
INSERT INTO "earlier_page" VALUES(-1298006056793338793,200,'Orphan',-5891254618422086671,2646582331764642327,NULL,X'',X'',230,'','',X'','','',1795394430,'','','','','listed','','','',1,1795394430,NULL,1,0,0,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. No page links here. /');
INSERT INTO "earlier_page" VALUES(-1147417314772036276,200,'Page 11',8729278683756163944,4666232286746328287,NULL,X'',X'',218,'','',X'','"1-11"','',1795394428,'json_ld 1767225600 2026-01-01 2026-01-01','2026-01-01','json_ld','2026-01-01','listed','','','',1,1795394428,NULL,1,0,0,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. 11 /23');
INSERT INTO "earlier_page" VALUES(-1126903234409364077,200,'Calendar',-4089921786512505206,7280064181475482383,NULL,X'',X'',334,'','',X'','','',1795394428,'','','','','listed','','','',1,1795394428,NULL,1,0,0,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair /calendar?month=2026-04');
INSERT INTO "earlier_page" VALUES(-1111658922521940936,200,'Page 6',-8274040177549831002,-2371959542775956679,NULL,X'',X'',220,'','',X'','"1-6"','',1795394427,'json_ld 1767225600 2026-01-01 2026-01-01','2026-01-01','json_ld','2026-01-01','listed','','','',1,1795394427,NULL,1,0,0,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. 6 /13 /14');
INSERT INTO "earlier_page" VALUES(999935974965801918,200,'Page 4',6521135519765495681,4975006519339431514,NULL,X'',X'',219,'','',X'','"1-4"','',1795394427,'json_ld 1767225600 2026-01-01 2026-01-01','2026-01-01','json_ld','2026-01-01','listed','','','',1,1795394427,NULL,1,0,0,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. 4 /9 /10');
INSERT INTO "earlier_page" VALUES(1153852409728327426,200,'Calendar',9062587055177890024,8328088755991654770,NULL,X'',X'',414,'','',X'','','',1795394429,'','','','','listed','','','',1,1795394429,NULL,1,0,0,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair /calendar?month=2026-05');
INSERT INTO "earlier_page" VALUES(1230749288082638149,200,'Page 0',-1369833236159319495,-7767898005840587407,NULL,X'',X'',286,'','',X'','"1-0"','',1795394427,'json_ld 1767225600 2026-01-01 2026-01-01','2026-01-01','json_ld','2026-01-01','listed','','','',1,1795394427,NULL,1,0,0,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. 0 /1 /2 /secret /moved /away /gone /twin /canonical /hidden /calendar?month=2026-01');
INSERT INTO "earlier_page" VALUES(1633332902991586130,200,'Page 12',-4758134287905933423,7807632465608651313,NULL,X'',X'',215,'','',X'','"1-12"','',1795394428,'json_ld 1767225600 2026-01-01 2026-01-01','2026-01-01','json_ld','2026-01-01','listed','','','',1,1795394428,NULL,1,0,0,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. 12');
INSERT INTO "earlier_page" VALUES(2494644837736720043,200,'Page 1',1057805405555422861,-6870123744906486890,NULL,X'',X'',218,'','',X'','"1-1"','',1795394427,'json_ld 1767225600 2026-01-01 2026-01-01','2026-01-01','json_ld','2026-01-01','listed','','','',1,1795394427,NULL,1,0,0,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. 1 /3 /4');
INSERT INTO "earlier_page" VALUES(2568082887589199977,200,'Page 2',-9162795479576079991,8313346374531608947,NULL,X'',X'',218,'','',X'','"1-2"','',1795394427,'json_ld 1767225600 2026-01-01 2026-01-01','2026-01-01','json_ld','2026-01-01','listed','','','',1,1795394427,NULL,1,0,0,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. 2 /5 /6');
INSERT INTO "earlier_page" VALUES(2729125208742496758,200,'Page 21',4840944237941507793,-4186448498045829578,NULL,X'',X'',215,'','',X'','"1-21"','',1795394429,'json_ld 1767225600 2026-01-01 2026-01-01','2026-01-01','json_ld','2026-01-01','listed','','','',1,1795394429,NULL,1,0,0,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. 21');
INSERT INTO "earlier_page" VALUES(2959532797007469365,200,'Page 19',-5171498612726739114,1488754585971875385,NULL,X'',X'',215,'','',X'','"1-19"','',1795394429,'json_ld 1767225600 2026-01-01 2026-01-01','2026-01-01','json_ld','2026-01-01','listed','','','',1,1795394429,NULL,1,0,0,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. 19');
INSERT INTO "earlier_page" VALUES(4271870981309765179,200,'Calendar',-4242249756072214524,-8634797654419593701,NULL,X'',X'',494,'','',X'','','',1795394430,'','','','','listed','','','',1,1795394430,NULL,1,0,0,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair /calendar?month=2026-06');
INSERT INTO "earlier_page" VALUES(4735658920800113889,200,'Page 23',-3614150405606519899,8246530783319882443,NULL,X'',X'',215,'','',X'','"1-23"','',1795394428,'json_ld 1767225600 2026-01-01 2026-01-01','2026-01-01','json_ld','2026-01-01','listed','','','',1,1795394428,NULL,1,0,0,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. 23');
INSERT INTO "earlier_page" VALUES(5307038575586591011,200,'Page 16',7146377004462904496,-6366758083707812889,NULL,X'',X'',215,'','',X'','"1-16"','',1795394429,'json_ld 1767225600 2026-01-01 2026-01-01','2026-01-01','json_ld','2026-01-01','listed','','','',1,1795394429,NULL,1,0,0,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. 16');
INSERT INTO "earlier_page" VALUES(5860868144645908169,200,'Page 17',5878303236552274098,-2195914720023156660,NULL,X'',X'',215,'','',X'','"1-17"','',1795394429,'json_ld 1767225600 2026-01-01 2026-01-01','2026-01-01','json_ld','2026-01-01','listed','','','',1,1795394429,NULL,1,0,0,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. 17');
INSERT INTO "earlier_page" VALUES(7887034799035772945,200,'Page 9',-756056731964364587,5199661317840918808,NULL,X'',X'',220,'','',X'','"1-9"','',1795394428,'json_ld 1767225600 2026-01-01 2026-01-01','2026-01-01','json_ld','2026-01-01','listed','','','',1,1795394428,NULL,1,0,0,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. 9 /19 /20');
INSERT INTO "earlier_page" VALUES(8263996199438291908,200,'Calendar',-1093377558809537928,8442655587626208748,NULL,X'',X'',254,'','',X'','','',1795394427,'','','','','listed','','','',1,1795394427,NULL,1,0,0,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair /calendar?month=2026-03');
INSERT INTO "earlier_page" VALUES(8370694816011140704,301,'',NULL,NULL,NULL,X'',X'',0,'','',X'','','',0,'','','','','offsite_redirect','301 to https://other.example/','','https://other.example/',1,1795394427,NULL,0,0,0,0,'');
CREATE TABLE "earlier_sitemap_dates_at_visit" ( -- sitemap dates at the last visit of postponed pages
    key INTEGER PRIMARY KEY,
    said TEXT NOT NULL           -- if they have changed since; one date per line
);
CREATE TABLE "earlier_sitemap_entry" (
    key INTEGER NOT NULL,
    sitemap INTEGER NOT NULL,
    lastmod TEXT NOT NULL,
    changefreq TEXT NOT NULL,
    priority TEXT NOT NULL,
    times INTEGER NOT NULL,      -- number of entries; -n: kept for n runs, as the file fails
    PRIMARY KEY (key, sitemap)
) WITHOUT ROWID;
INSERT INTO "earlier_sitemap_entry" VALUES(-1298006056793338793,762180207552013594,'','','',1);
CREATE TABLE "earlier_sketch" (            -- core.document.novelty.sketch of suspects
    key INTEGER PRIMARY KEY,
    sketch BLOB NOT NULL
);
INSERT INTO "earlier_sketch" VALUES(-8916090973901696593,X'0E000000020000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7CA6F68596472B68A3377382BB34FC46BF3209A7FC35000000');
INSERT INTO "earlier_sketch" VALUES(-8860292295563005896,X'0E000000020000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7CA6F68596472B68A3377382BB34FC46BF3209A7FC35000000');
INSERT INTO "earlier_sketch" VALUES(-8613581934599584161,X'0E000000020000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7CA6F68596472B68A3377382BB34FC46BF3209A7FC35000000');
INSERT INTO "earlier_sketch" VALUES(-7587092627047443454,X'0E000000020000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7CA6F68596472B68A3377382BB34FC46BF3209A7FC35000000');
INSERT INTO "earlier_sketch" VALUES(-6595091615942559755,X'0E000000020000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7CA6F68596472B68A3377382BB34FC46BF3209A7FC35000000');
INSERT INTO "earlier_sketch" VALUES(-6460893679168362506,X'0F000000040000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7C2A16287CA6F68596472B68A3377382BB34FC46BFA415A671E00100003209A7FC35000000');
INSERT INTO "earlier_sketch" VALUES(-6278571618573927906,X'0E000000020000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7CA6F68596472B68A3377382BB34FC46BF3209A7FC35000000');
INSERT INTO "earlier_sketch" VALUES(-5526222602597543076,X'0E000000020000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7CA6F68596472B68A3377382BB34FC46BF3209A7FC35000000');
INSERT INTO "earlier_sketch" VALUES(-4426051817414463471,X'0E000000020000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7CA6F68596472B68A3377382BB34FC46BF3209A7FC35000000');
INSERT INTO "earlier_sketch" VALUES(-3931155551654495307,X'0E000000020000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7CA6F68596472B68A3377382BB34FC46BF3209A7FC35000000');
INSERT INTO "earlier_sketch" VALUES(-3790247073180315134,X'0E000000020000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7CA6F68596472B68A3377382BB34FC46BF3209A7FC35000000');
INSERT INTO "earlier_sketch" VALUES(-3088994153234991718,X'0E000000020000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7CA6F68596472B68A3377382BB34FC46BF3209A7FC35000000');
INSERT INTO "earlier_sketch" VALUES(-2287979406085084303,X'0F000000040000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7C2A16287CA6F68596472B68A3377382BB34FC46BF85682371500000003209A7FC35000000');
INSERT INTO "earlier_sketch" VALUES(-1147417314772036276,X'0E000000020000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7CA6F68596472B68A3377382BB34FC46BF3209A7FC35000000');
INSERT INTO "earlier_sketch" VALUES(-1126903234409364077,X'0F000000040000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7C2A16287CA6F68596472B68A3377382BB34FC46BFC018C20EF00000003209A7FC35000000');
INSERT INTO "earlier_sketch" VALUES(-1111658922521940936,X'0E000000020000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7CA6F68596472B68A3377382BB34FC46BF3209A7FC35000000');
INSERT INTO "earlier_sketch" VALUES(999935974965801918,X'0E000000020000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7CA6F68596472B68A3377382BB34FC46BF3209A7FC35000000');
INSERT INTO "earlier_sketch" VALUES(1153852409728327426,X'0F000000040000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7C2A16287CA6F68596472B68A3377382BB34FC46BFF19CEBA0400100003209A7FC35000000');
INSERT INTO "earlier_sketch" VALUES(1633332902991586130,X'0E000000020000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7CA6F68596472B68A3377382BB34FC46BF3209A7FC35000000');
INSERT INTO "earlier_sketch" VALUES(2494644837736720043,X'0E000000020000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7CA6F68596472B68A3377382BB34FC46BF3209A7FC35000000');
INSERT INTO "earlier_sketch" VALUES(2568082887589199977,X'0E000000020000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7CA6F68596472B68A3377382BB34FC46BF3209A7FC35000000');
INSERT INTO "earlier_sketch" VALUES(2729125208742496758,X'0E000000020000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7CA6F68596472B68A3377382BB34FC46BF3209A7FC35000000');
INSERT INTO "earlier_sketch" VALUES(2959532797007469365,X'0E000000020000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7CA6F68596472B68A3377382BB34FC46BF3209A7FC35000000');
INSERT INTO "earlier_sketch" VALUES(4271870981309765179,X'0F000000040000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7C2A16287CA6F68596472B68A3377382BB34FC46BFF2047F72900100003209A7FC35000000');
INSERT INTO "earlier_sketch" VALUES(4735658920800113889,X'0E000000020000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7CA6F68596472B68A3377382BB34FC46BF3209A7FC35000000');
INSERT INTO "earlier_sketch" VALUES(5307038575586591011,X'0E000000020000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7CA6F68596472B68A3377382BB34FC46BF3209A7FC35000000');
INSERT INTO "earlier_sketch" VALUES(5860868144645908169,X'0E000000020000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7CA6F68596472B68A3377382BB34FC46BF3209A7FC35000000');
INSERT INTO "earlier_sketch" VALUES(7887034799035772945,X'0E000000020000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7CA6F68596472B68A3377382BB34FC46BF3209A7FC35000000');
INSERT INTO "earlier_sketch" VALUES(8263996199438291908,X'0F000000040000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7C2A16287CA6F68596472B68A3377382BB34FC46BF46839698A00000003209A7FC35000000');
CREATE TABLE "extension" (         -- data of pages for sitemap extensions
    key INTEGER PRIMARY KEY,
    said TEXT NOT NULL           -- JSON without empty fields: images, videos, news, alternates
);
CREATE TABLE feed (              -- a page of one pattern revealed a URL of another
    source INTEGER NOT NULL,
    target INTEGER NOT NULL,
    round INTEGER NOT NULL,      -- the last round in which that happened
    PRIMARY KEY (source, target)
) WITHOUT ROWID;
INSERT INTO "feed" VALUES(3,3,5);
INSERT INTO "feed" VALUES(4,4,3);
CREATE TABLE file_hint (         -- shapes of URLs that end like files: core.file_hints
    id INTEGER PRIMARY KEY,
    directory TEXT NOT NULL,
    extension TEXT NOT NULL,
    UNIQUE (directory, extension)
);
CREATE TABLE "final_lastmod" (     -- dates of pages, where the whole site changes them
    key INTEGER PRIMARY KEY,
    lastmod TEXT NOT NULL,
    source TEXT NOT NULL,
    evidence TEXT NOT NULL,
    disproved INTEGER NOT NULL,  -- core.lastmod.BITS of sources that were wrong
    is_trusted INTEGER NOT NULL  -- 0: published before its source lost trust
);
INSERT INTO "final_lastmod" VALUES(-8916090973901696593,'','','not json_ld (shared)',0,1);
INSERT INTO "final_lastmod" VALUES(-8860292295563005896,'','','not json_ld (shared)',0,1);
INSERT INTO "final_lastmod" VALUES(-8613581934599584161,'','','not json_ld (shared)',0,1);
INSERT INTO "final_lastmod" VALUES(-7587092627047443454,'2026-11-23T00:40:41+00:00','observed','the main text has changed; not json_ld (disproved)',1,1);
INSERT INTO "final_lastmod" VALUES(-6595091615942559755,'','','not json_ld (shared)',0,1);
INSERT INTO "final_lastmod" VALUES(-6278571618573927906,'','','not json_ld (shared)',0,1);
INSERT INTO "final_lastmod" VALUES(-5526222602597543076,'','','not json_ld (shared)',0,1);
INSERT INTO "final_lastmod" VALUES(-4855870623676788213,'','','not json_ld (shared)',0,1);
INSERT INTO "final_lastmod" VALUES(-4426051817414463471,'','','not json_ld (shared)',0,1);
INSERT INTO "final_lastmod" VALUES(-3931155551654495307,'','','not json_ld (shared)',0,1);
INSERT INTO "final_lastmod" VALUES(-3790247073180315134,'','','not json_ld (shared)',0,1);
INSERT INTO "final_lastmod" VALUES(-3088994153234991718,'','','not json_ld (shared)',0,1);
INSERT INTO "final_lastmod" VALUES(-1147417314772036276,'','','not json_ld (shared)',0,1);
INSERT INTO "final_lastmod" VALUES(-1111658922521940936,'','','not json_ld (shared)',0,1);
INSERT INTO "final_lastmod" VALUES(999935974965801918,'','','not json_ld (shared)',0,1);
INSERT INTO "final_lastmod" VALUES(1230749288082638149,'','','not json_ld (shared)',0,1);
INSERT INTO "final_lastmod" VALUES(1633332902991586130,'','','not json_ld (shared)',0,1);
INSERT INTO "final_lastmod" VALUES(2494644837736720043,'','','not json_ld (shared)',0,1);
INSERT INTO "final_lastmod" VALUES(2568082887589199977,'','','not json_ld (shared)',0,1);
INSERT INTO "final_lastmod" VALUES(2729125208742496758,'','','not json_ld (shared)',0,1);
INSERT INTO "final_lastmod" VALUES(2959532797007469365,'','','not json_ld (shared)',0,1);
INSERT INTO "final_lastmod" VALUES(4735658920800113889,'','','not json_ld (shared)',0,1);
INSERT INTO "final_lastmod" VALUES(5307038575586591011,'','','not json_ld (shared)',0,1);
INSERT INTO "final_lastmod" VALUES(5860868144645908169,'','','not json_ld (shared)',0,1);
INSERT INTO "final_lastmod" VALUES(7887034799035772945,'','','not json_ld (shared)',0,1);
CREATE TABLE "label" (             -- texts and attributes of links, if requested
    key INTEGER PRIMARY KEY,
    said BLOB NOT NULL           -- zlib of JSON: target, kind, text, nofollow of each
);
CREATE TABLE late_try (          -- failed pages that were requested again: frontier.late_retry
    key INTEGER PRIMARY KEY,
    tries INTEGER NOT NULL,
    round INTEGER NOT NULL,      -- the last round of the page
    batch INTEGER NOT NULL       -- its batch in that round
);
CREATE TABLE "link" (
    source INTEGER PRIMARY KEY,
    followed BLOB NOT NULL,      -- keys of the targets, 8 bytes each, native byte order
    nofollow BLOB NOT NULL,
    same_list BLOB NOT NULL      -- those of followed in the same list as the source
);
INSERT INTO "link" VALUES(-8860292295563005896,X'F609A9F6EACCDF25F537961A1E8779A4',X'',X'');
INSERT INTO "link" VALUES(-8613581934599584161,X'C9A6057D86FC555111F08981528193C2',X'',X'');
INSERT INTO "link" VALUES(-8547119171830756012,X'AB260F4243C29E22',X'',X'');
INSERT INTO "link" VALUES(-7587092627047443454,X'5C537076D2E94EB35F467800DE687688',X'',X'');
INSERT INTO "link" VALUES(-6819778811448790153,X'AB260F4243C29E22',X'',X'');
INSERT INTO "link" VALUES(-5526222602597543076,X'9A752B0F2FB021D5234122737763A649',X'',X'');
INSERT INTO "link" VALUES(-4855870623676788213,X'02921F585E5666CB38ACAF8B199892F0',X'',X'');
INSERT INTO "link" VALUES(-3790247073180315134,X'4C55E10F088E13F05263C51A9FC3AA16',X'',X'');
INSERT INTO "link" VALUES(-2287979406085084303,X'C493B244C29CAF72',X'',X'');
INSERT INTO "link" VALUES(-1298006056793338793,X'4505BBEBF47F1411',X'',X'');
INSERT INTO "link" VALUES(-1147417314772036276,X'E154B3A7B270B841',X'',X'');
INSERT INTO "link" VALUES(-1126903234409364077,X'02DF153DA74E0310',X'',X'');
INSERT INTO "link" VALUES(-1111658922521940936,X'AFD185AB7FAE4384B53BD49ADABA71C9',X'',X'');
INSERT INTO "link" VALUES(999935974965801918,X'11F0ABC75C60746D3830D6DC19EB0985',X'',X'');
INSERT INTO "link" VALUES(1153852409728327426,X'3B96442F06BC483B',X'',X'');
INSERT INTO "link" VALUES(1230749288082638149,X'AB260F4243C29E22698083ACC7A9A323A1EAF5EA2067614154CD18D665886289603E8CD795AE2A749138854A1E7E56B80B927D30657B9CBC77F3DBC04D475BA1D5F2799C512E33C371ABE336DA763FE0',X'',X'');
INSERT INTO "link" VALUES(2494644837736720043,X'0214DA2E743BB596BE73F8A9787CE00D',X'',X'');
INSERT INTO "link" VALUES(2568082887589199977,X'02921F585E5666CB38ACAF8B199892F0',X'',X'');
INSERT INTO "link" VALUES(4271870981309765179,X'F6679A196E4B56A6',X'',X'');
INSERT INTO "link" VALUES(7887034799035772945,X'359BBF0A665F12291E3A0DD26008DEA8',X'',X'');
INSERT INTO "link" VALUES(8263996199438291908,X'9385CA987A6F5CF0',X'',X'');
CREATE TABLE made_up (           -- responses to made-up URLs, which no page links to
    url TEXT PRIMARY KEY,
    pattern INTEGER NOT NULL,
    sketch BLOB NOT NULL,
    reveals INTEGER NOT NULL,
    length INTEGER NOT NULL,
    title TEXT NOT NULL
);
CREATE TABLE near_duplicate (    -- near-duplicates of the pages that are listed instead
                                 -- (of noindex pages also exact copies)
    key INTEGER PRIMARY KEY,
    listed INTEGER NOT NULL,
    similarity REAL NOT NULL
);
CREATE TABLE "page" (
    key INTEGER PRIMARY KEY,
    status INTEGER,
    title TEXT NOT NULL,
    text_hash INTEGER,
    content_hash INTEGER,        -- hash of everything that is equal in duplicates
    subject INTEGER,             -- hash of title, heading, language; NULL: not comparable
    signature BLOB NOT NULL,     -- core.document.shingles.signature
    pictures BLOB NOT NULL,      -- without a signature: core.document.shingles.signed_media
    text_length INTEGER NOT NULL, -- characters of the main text, without white space
    language TEXT NOT NULL,
    canonical TEXT NOT NULL,     -- contradictory ones are separated by spaces
    alternates BLOB NOT NULL,    -- keys of its language versions, packed as in link
    etag TEXT NOT NULL,
    last_modified TEXT NOT NULL,
    answered INTEGER NOT NULL,   -- seconds since the epoch; 0: not a document
    claims TEXT NOT NULL,        -- its dates of change: core.lastmod.pack
    lastmod TEXT NOT NULL,       -- from the page alone; see final_lastmod
    lastmod_source TEXT NOT NULL,
    lastmod_evidence TEXT NOT NULL,
    own_verdict TEXT NOT NULL,   -- from its response alone; the final verdict is in url
    own_evidence TEXT NOT NULL,
    own_reason TEXT NOT NULL,
    own_other_url TEXT NOT NULL,
    run INTEGER NOT NULL,
    visited INTEGER NOT NULL,    -- seconds since the epoch; answered: time of the last reading
    changed INTEGER,             -- see visit
    is_lasting INTEGER NOT NULL, -- 1: valid as long as the server answers 304
    revisit INTEGER NOT NULL,    -- items.Revisit
    validation INTEGER NOT NULL, -- items.Validation
    failures INTEGER NOT NULL,   -- failed runs in a row; the rest is from the last reading
    excerpt TEXT NOT NULL        -- the last column, so that others are read without it
);
INSERT INTO "page" VALUES(-8916090973901696593,200,'Page 13',-7507583263848612848,225579580940412758,NULL,X'',X'',215,'','',X'','"1-13"','',1795394428,'json_ld 1767225600 2026-01-01 2026-01-01','2026-01-01','json_ld','2026-01-01','listed','','','',2,1795394441,0,1,0,2,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. 13');
INSERT INTO "page" VALUES(-8860292295563005896,200,'Page 10',-1264015439487612931,-3330405562107803694,NULL,X'',X'',221,'','',X'','"1-10"','',1795394428,'json_ld 1767225600 2026-01-01 2026-01-01','2026-01-01','json_ld','2026-01-01','listed','','','',2,1795394441,0,1,0,2,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. 10 /21 /22');
INSERT INTO "page" VALUES(-8613581934599584161,200,'Page 8',-6450247560016174673,-4138430013497552119,NULL,X'',X'',220,'','',X'','"1-8"','',1795394428,'json_ld 1767225600 2026-01-01 2026-01-01','2026-01-01','json_ld','2026-01-01','listed','','','',2,1795394441,0,1,0,2,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. 8 /17 /18');
INSERT INTO "page" VALUES(-8547119171830756012,301,'',NULL,NULL,NULL,X'',X'',0,'','',X'','','',0,'','','','','redirect','301 to http://site.example/1','','http://site.example/1',2,1795394439,0,0,0,0,0,'');
INSERT INTO "page" VALUES(-7587092627047443454,200,'Page 3',1586217503548809188,-6638411588738070153,NULL,X'',X'',234,'','',X'','"2-3"','',1795394441,'json_ld 1769904000 2026-02-01 2026-02-01','2026-02-01','json_ld','2026-02-01','listed','','','',2,1795394441,1,1,0,1,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. 3 It was painted red. /7 /8');
INSERT INTO "page" VALUES(-6819778811448790153,200,'',330568554863146047,4009034216067314864,NULL,X'',X'',218,'','http://site.example/1',X'','','',1795394440,'','','','','canonicalised','canonical is http://site.example/1','','http://site.example/1',2,1795394440,0,1,0,0,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. again');
INSERT INTO "page" VALUES(-6595091615942559755,200,'Page 22',-8864812946251227011,2904143895859424166,NULL,X'',X'',215,'','',X'','"1-22"','',1795394442,'json_ld 1767225600 2026-01-01 2026-01-01','2026-01-01','json_ld','2026-01-01','listed','','','',2,1795394442,0,1,0,3,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. 22');
INSERT INTO "page" VALUES(-6460893679168362506,200,'Calendar',439887267218802859,4980253424197501104,-8839250500271384850,X'00000000E94D68000E463B029D0E93087777AE08B8423E09FE690D1443BA5E17060464185CFFBC198680851F8373991F1D600421326F3E239B60BD24C5C251257AF04B289AE46F2B7929A12B19397A30ABAB2F31FC879C33F1F115351FEAD0366616233A045C5149D451704A8C129D50FFFCB051EDDDAC5288E63D54C231DB56DC4CA859D6FC395C21AB2864A2703C64F8D6EE6718F0B77346CF887CC9D59E7DE406C97E8B72977F25507A800A501B897ED3C7934B07C9944598EB98E51E9E9D9E36B79EB2ED2DA2492154A40823DFA904EA6FAEF0D579AE0B6D83B0FD2B69B48EF728B570EC82B50DC1FFB8AF874CBD98D34EBDB6130CBF48D30BC1FFEE85C1E47C5CCD255197D12DB924D6C29F54D792BE8FDBD607D2DEDD1EA6DF236528E4D8C101F4FCC11DF64EC32FF920AA18FA',X'',551,'','',X'','','',1795394442,'','','','','listed','','','',2,1795394442,0,1,0,0,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair');
INSERT INTO "page" VALUES(-6278571618573927906,200,'Page 20',4792910977901515961,6601677747844635076,NULL,X'',X'',215,'','',X'','"1-20"','',1795394429,'json_ld 1767225600 2026-01-01 2026-01-01','2026-01-01','json_ld','2026-01-01','listed','','','',2,1795394442,0,1,0,2,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. 20');
INSERT INTO "page" VALUES(-5526222602597543076,200,'Page 7',2735089903676403378,-4924373657545318142,NULL,X'',X'',220,'','',X'','"1-7"','',1795394428,'json_ld 1767225600 2026-01-01 2026-01-01','2026-01-01','json_ld','2026-01-01','listed','','','',2,1795394441,0,1,0,2,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. 7 /15 /16');
INSERT INTO "page" VALUES(-5163801254169331567,404,'',NULL,NULL,NULL,X'',X'',0,'','',X'','','',0,'','','','','http_error','HTTP 404','','',2,1795394439,0,0,0,0,0,'');
INSERT INTO "page" VALUES(-4855870623676788213,200,'Page 2',-9162795479576079991,8313346374531608947,NULL,X'',X'',218,'','',X'','"1-2"','',1795394427,'json_ld 1767225600 2026-01-01 2026-01-01','2026-01-01','json_ld','2026-01-01','listed','','','',2,1795394440,0,1,0,2,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. 2 /5 /6');
INSERT INTO "page" VALUES(-4426051817414463471,200,'Page 18',3089813302451744001,-102355670114801022,NULL,X'',X'',215,'','',X'','"1-18"','',1795394429,'json_ld 1767225600 2026-01-01 2026-01-01','2026-01-01','json_ld','2026-01-01','listed','','','',2,1795394442,0,1,0,2,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. 18');
INSERT INTO "page" VALUES(-4381107084448894251,200,'',2654954084902690601,-2800033462023855095,NULL,X'',X'',142,'','',X'','','',1795394440,'','','','','noindex','<meta name="robots" content="noindex">','','',2,1795394440,0,1,0,0,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays.');
INSERT INTO "page" VALUES(-3931155551654495307,200,'Page 14',-7079647280454502982,-6220955902839284243,NULL,X'',X'',215,'','',X'','"1-14"','',1795394428,'json_ld 1767225600 2026-01-01 2026-01-01','2026-01-01','json_ld','2026-01-01','listed','','','',2,1795394441,0,1,0,2,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. 14');
INSERT INTO "page" VALUES(-3790247073180315134,200,'Page 5',6099705666387709018,771373463895098046,NULL,X'',X'',220,'','',X'','"1-5"','',1795394427,'json_ld 1767225600 2026-01-01 2026-01-01','2026-01-01','json_ld','2026-01-01','listed','','','',2,1795394441,0,1,0,2,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. 5 /11 /12');
INSERT INTO "page" VALUES(-3088994153234991718,200,'Page 15',6843455152759786790,-9176409896089415610,NULL,X'',X'',215,'','',X'','"1-15"','',1795394429,'json_ld 1767225600 2026-01-01 2026-01-01','2026-01-01','json_ld','2026-01-01','listed','','','',2,1795394441,0,1,0,2,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. 15');
INSERT INTO "page" VALUES(-2287979406085084303,200,'Calendar',-6080020657319888914,3943803393934375441,NULL,X'',X'',174,'','',X'','','',1795394441,'','','','','listed','','','',2,1795394441,0,1,0,0,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair /calendar?month=2026-02');
INSERT INTO "page" VALUES(-1298006056793338793,200,'Orphan',-5891254618422086671,2646582331764642327,NULL,X'',X'',230,'','',X'','','',1795394442,'','','','','listed','','','',2,1795394442,0,1,0,0,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. No page links here. /');
INSERT INTO "page" VALUES(-1147417314772036276,200,'Page 11',8729278683756163944,4666232286746328287,NULL,X'',X'',218,'','',X'','"1-11"','',1795394428,'json_ld 1767225600 2026-01-01 2026-01-01','2026-01-01','json_ld','2026-01-01','listed','','','',2,1795394441,0,1,0,2,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. 11 /23');
INSERT INTO "page" VALUES(-1126903234409364077,200,'Calendar',-4089921786512505206,7280064181475482383,NULL,X'',X'',334,'','',X'','','',1795394441,'','','','','listed','','','',2,1795394441,0,1,0,0,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair /calendar?month=2026-04');
INSERT INTO "page" VALUES(-1111658922521940936,200,'Page 6',-8274040177549831002,-2371959542775956679,NULL,X'',X'',220,'','',X'','"1-6"','',1795394427,'json_ld 1767225600 2026-01-01 2026-01-01','2026-01-01','json_ld','2026-01-01','listed','','','',2,1795394441,0,1,0,2,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. 6 /13 /14');
INSERT INTO "page" VALUES(999935974965801918,200,'Page 4',6521135519765495681,4975006519339431514,NULL,X'',X'',219,'','',X'','"1-4"','',1795394427,'json_ld 1767225600 2026-01-01 2026-01-01','2026-01-01','json_ld','2026-01-01','listed','','','',2,1795394441,0,1,0,2,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. 4 /9 /10');
INSERT INTO "page" VALUES(1153852409728327426,200,'Calendar',9062587055177890024,8328088755991654770,NULL,X'',X'',414,'','',X'','','',1795394442,'','','','','listed','','','',2,1795394442,0,1,0,0,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair /calendar?month=2026-05');
INSERT INTO "page" VALUES(1230749288082638149,200,'Page 0',-1369833236159319495,-7767898005840587407,NULL,X'',X'',286,'','',X'','"1-0"','',1795394427,'json_ld 1767225600 2026-01-01 2026-01-01','2026-01-01','json_ld','2026-01-01','listed','','','',2,1795394439,0,1,0,2,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. 0 /1 /2 /secret /moved /away /gone /twin /canonical /hidden /calendar?month=2026-01');
INSERT INTO "page" VALUES(1633332902991586130,200,'Page 12',-4758134287905933423,7807632465608651313,NULL,X'',X'',215,'','',X'','"1-12"','',1795394428,'json_ld 1767225600 2026-01-01 2026-01-01','2026-01-01','json_ld','2026-01-01','listed','','','',2,1795394441,0,1,0,2,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. 12');
INSERT INTO "page" VALUES(2494644837736720043,200,'Page 1',1057805405555422861,-6870123744906486890,NULL,X'',X'',218,'','',X'','"1-1"','',1795394427,'json_ld 1767225600 2026-01-01 2026-01-01','2026-01-01','json_ld','2026-01-01','listed','','','',2,1795394440,0,1,0,2,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. 1 /3 /4');
INSERT INTO "page" VALUES(2568082887589199977,200,'Page 2',-9162795479576079991,8313346374531608947,NULL,X'',X'',218,'','',X'','"1-2"','',1795394427,'json_ld 1767225600 2026-01-01 2026-01-01','2026-01-01','json_ld','2026-01-01','listed','','','',2,1795394440,0,1,0,2,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. 2 /5 /6');
INSERT INTO "page" VALUES(2729125208742496758,200,'Page 21',4840944237941507793,-4186448498045829578,NULL,X'',X'',215,'','',X'','"1-21"','',1795394429,'json_ld 1767225600 2026-01-01 2026-01-01','2026-01-01','json_ld','2026-01-01','listed','','','',2,1795394442,0,1,0,2,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. 21');
INSERT INTO "page" VALUES(2959532797007469365,200,'Page 19',-5171498612726739114,1488754585971875385,NULL,X'',X'',215,'','',X'','"1-19"','',1795394429,'json_ld 1767225600 2026-01-01 2026-01-01','2026-01-01','json_ld','2026-01-01','listed','','','',2,1795394442,0,1,0,2,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. 19');
INSERT INTO "page" VALUES(4271870981309765179,200,'Calendar',-4242249756072214524,-8634797654419593701,NULL,X'',X'',494,'','',X'','','',1795394442,'','','','','listed','','','',2,1795394442,0,1,0,0,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair /calendar?month=2026-06');
INSERT INTO "page" VALUES(4735658920800113889,200,'Page 23',-3614150405606519899,8246530783319882443,NULL,X'',X'',215,'','',X'','"1-23"','',1795394428,'json_ld 1767225600 2026-01-01 2026-01-01','2026-01-01','json_ld','2026-01-01','listed','','','',2,1795394441,0,1,0,2,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. 23');
INSERT INTO "page" VALUES(5307038575586591011,200,'Page 16',7146377004462904496,-6366758083707812889,NULL,X'',X'',215,'','',X'','"1-16"','',1795394429,'json_ld 1767225600 2026-01-01 2026-01-01','2026-01-01','json_ld','2026-01-01','listed','','','',2,1795394441,0,1,0,2,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. 16');
INSERT INTO "page" VALUES(5860868144645908169,200,'Page 17',5878303236552274098,-2195914720023156660,NULL,X'',X'',215,'','',X'','"1-17"','',1795394429,'json_ld 1767225600 2026-01-01 2026-01-01','2026-01-01','json_ld','2026-01-01','listed','','','',2,1795394442,0,1,0,2,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. 17');
INSERT INTO "page" VALUES(7887034799035772945,200,'Page 9',-756056731964364587,5199661317840918808,NULL,X'',X'',220,'','',X'','"1-9"','',1795394428,'json_ld 1767225600 2026-01-01 2026-01-01','2026-01-01','json_ld','2026-01-01','listed','','','',2,1795394441,0,1,0,2,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. The lamps of the harbour are lit by hand every evening of the year, except on holidays. 9 /19 /20');
INSERT INTO "page" VALUES(8263996199438291908,200,'Calendar',-1093377558809537928,8442655587626208748,NULL,X'',X'',254,'','',X'','','',1795394441,'','','','','listed','','','',2,1795394441,0,1,0,0,0,'The lamps of the harbour are lit by hand every evening of the year, except on holidays. fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair fair /calendar?month=2026-03');
INSERT INTO "page" VALUES(8370694816011140704,301,'',NULL,NULL,NULL,X'',X'',0,'','',X'','','',0,'','','','','offsite_redirect','301 to https://other.example/','','https://other.example/',2,1795394439,0,0,0,0,0,'');
CREATE TABLE pattern (           -- URLs of possibly endless spaces: analysis.traps.Pattern
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    pattern TEXT NOT NULL UNIQUE,
    family TEXT NOT NULL,        -- empty: the row holds unassigned URLs of a family
    space TEXT NOT NULL,
    depth INTEGER NOT NULL DEFAULT 0,
    burst INTEGER NOT NULL DEFAULT 0,
    reason TEXT NOT NULL DEFAULT '', -- why it is a trap
    is_endless INTEGER NOT NULL DEFAULT 0, -- it still revealed new URLs when it was left
    constants TEXT NOT NULL DEFAULT '[]', -- JSON, of a family: values that separate its patterns
    size INTEGER NOT NULL DEFAULT 0, -- of a family: number of URLs when that was decided
    noise TEXT,                  -- JSON: how much its pages differ when read twice
    is_probed INTEGER NOT NULL DEFAULT 0
);
INSERT INTO "pattern" VALUES(1,'numbers','family /{n}','','',0,0,'',0,'[]',23,NULL,0);
INSERT INTO "pattern" VALUES(2,'calendar','family /*?month=','','',0,0,'',0,'[["0", "calendar"]]',4,NULL,0);
INSERT INTO "pattern" VALUES(3,'calendar','/calendar?month=','/*?month=','/calendar',0,0,'',0,'[]',0,NULL,0);
INSERT INTO "pattern" VALUES(4,'numbers','/{n}','/{n}','/{n}',0,0,'',0,'[]',0,NULL,0);
CREATE TABLE render (            -- the rendered pages
    key INTEGER PRIMARY KEY,
    reason TEXT NOT NULL,        -- a reason of core.rendering.detect, learned, sampled, always
    outcome TEXT NOT NULL,       -- gained, nothing or failed
    seconds REAL NOT NULL,
    signature TEXT NOT NULL,
    waiting TEXT NOT NULL,       -- core.rendering.learn.Waiting
    empty TEXT                   -- store.rendering.Render.empty
);
CREATE TABLE render_candidate (  -- the pages counted in rendering, each once
    key INTEGER PRIMARY KEY,
    signature TEXT NOT NULL,
    rendered INTEGER NOT NULL,
    is_sample INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE rendering (         -- counts of the site, of families and of signatures
    signature TEXT PRIMARY KEY,
    seen INTEGER NOT NULL,
    rendered INTEGER NOT NULL,
    gained INTEGER NOT NULL,
    dry INTEGER NOT NULL         -- renderings in a row without a gain
) WITHOUT ROWID;
CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    arguments TEXT NOT NULL,     -- JSON: the arguments that determine what is in scope
    start TEXT NOT NULL,         -- the start URL after redirects; empty until it has answered
    started REAL NOT NULL,       -- seconds since the epoch
    ended REAL,                  -- NULL: interrupted
    reason TEXT,                 -- why it ended: 'finished', 'max_pages' or an error's name
    options TEXT NOT NULL DEFAULT '{}', -- JSON: the options of conclusions and output
    plan TEXT NOT NULL DEFAULT '{}', -- JSON: the plan of frontier.planner.Planner
    round INTEGER NOT NULL DEFAULT 0, -- number of releases of suspects
    version TEXT NOT NULL,       -- version of the crawler
    reader INTEGER NOT NULL,     -- items.READER_VERSION
    is_complete INTEGER          -- 0: a cap left URLs unfetched; NULL: not concluded
);
INSERT INTO "run" VALUES(1,'{"exclude": "", "extensions": "", "formats": "xml", "include": "", "max_depth": 0, "query": "strip_tracking", "render": "auto", "robots": "obey", "robots_unreachable": "disallow", "scope": "origin", "sitemaps": "", "strategy": "bfs", "trailing_slash": "keep", "url": "http://site.example/", "www": "strict"}','http://site.example/',1795394426.7149,1.79539443140536594386e+09,'finished','{"base_url": "", "duplicates": "exact", "max_depth": 0, "near_rule": "page", "near_threshold": 0.85, "output": {"changefreq": "none", "formats": ["xml"], "gzip": false, "layout": "size", "priority": "depth", "stylesheet": "none"}, "traps": "stop"}','{}',6,'0.1.0',2,1);
INSERT INTO "run" VALUES(2,'{"exclude": "", "extensions": "", "formats": "xml", "include": "", "max_depth": 0, "query": "strip_tracking", "render": "auto", "robots": "obey", "robots_unreachable": "disallow", "scope": "origin", "sitemaps": "", "strategy": "bfs", "trailing_slash": "keep", "url": "http://site.example/", "www": "strict"}','http://site.example/',1.79539443953658127786e+09,1.79539444264982318878e+09,'finished','{"base_url": "", "duplicates": "exact", "max_depth": 0, "near_rule": "page", "near_threshold": 0.85, "output": {"changefreq": "none", "formats": ["xml"], "gzip": false, "layout": "size", "priority": "depth", "stylesheet": "none"}, "traps": "stop"}','{}',6,'0.1.0',2,1);
CREATE TABLE sighting (          -- repaired and unfollowed links: items.Sighting
    kind TEXT NOT NULL,
    pattern TEXT NOT NULL,
    links INTEGER NOT NULL,
    example TEXT NOT NULL,
    PRIMARY KEY (kind, pattern)
);
CREATE TABLE sitemap (
    id INTEGER PRIMARY KEY,
    url TEXT NOT NULL UNIQUE,
    found TEXT NOT NULL,         -- 'robots', 'argument', 'usual_path', 'index'
    parent TEXT NOT NULL,
    format TEXT NOT NULL,
    error TEXT NOT NULL,
    reason TEXT NOT NULL,        -- verdicts.Reason: 'lost' or nothing
    entries INTEGER NOT NULL,
    children INTEGER NOT NULL,
    unread INTEGER NOT NULL,     -- children that were not requested
    malformed INTEGER NOT NULL,
    offsite INTEGER NOT NULL,    -- entries of other sites: only counted
    outside_location INTEGER NOT NULL,
    with_lastmod INTEGER NOT NULL,
    with_changefreq INTEGER NOT NULL,
    with_priority INTEGER NOT NULL,
    with_images INTEGER NOT NULL,
    with_video INTEGER NOT NULL,
    with_news INTEGER NOT NULL,
    with_hreflang INTEGER NOT NULL,
    offsite_examples TEXT NOT NULL  -- JSON: the first ones
);
INSERT INTO "sitemap" VALUES(762180207552013594,'http://site.example/sitemap.xml','robots','','urlset','','',1,0,0,0,0,0,0,0,0,0,0,0,0,'[]');
CREATE TABLE "sitemap_dates_at_visit" ( -- sitemap dates at the last visit of postponed pages
    key INTEGER PRIMARY KEY,
    said TEXT NOT NULL           -- if they have changed since; one date per line
);
CREATE TABLE sitemap_document (  -- sitemap files with validators, unmodified
    url TEXT PRIMARY KEY,        -- as named, before redirects
    location TEXT NOT NULL,      -- the URL after redirects
    etag TEXT NOT NULL,
    last_modified TEXT NOT NULL,
    body BLOB NOT NULL           -- compressed
);
CREATE TABLE "sitemap_entry" (
    key INTEGER NOT NULL,
    sitemap INTEGER NOT NULL,
    lastmod TEXT NOT NULL,
    changefreq TEXT NOT NULL,
    priority TEXT NOT NULL,
    times INTEGER NOT NULL,      -- number of entries; -n: kept for n runs, as the file fails
    PRIMARY KEY (key, sitemap)
) WITHOUT ROWID;
INSERT INTO "sitemap_entry" VALUES(-1298006056793338793,762180207552013594,'','','',1);
CREATE TABLE sitemap_extension (
    key INTEGER NOT NULL,
    sitemap INTEGER NOT NULL,
    said TEXT NOT NULL,          -- JSON without empty fields: images, videos, news, alternates
    PRIMARY KEY (key, sitemap)
);
CREATE TABLE "sketch" (            -- core.document.novelty.sketch of suspects
    key INTEGER PRIMARY KEY,
    sketch BLOB NOT NULL
);
INSERT INTO "sketch" VALUES(-8916090973901696593,X'0E000000020000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7CA6F68596472B68A3377382BB34FC46BF3209A7FC35000000');
INSERT INTO "sketch" VALUES(-8860292295563005896,X'0E000000020000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7CA6F68596472B68A3377382BB34FC46BF3209A7FC35000000');
INSERT INTO "sketch" VALUES(-8613581934599584161,X'0E000000020000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7CA6F68596472B68A3377382BB34FC46BF3209A7FC35000000');
INSERT INTO "sketch" VALUES(-7587092627047443454,X'12000000020000000000000000000000FAA16D07C829B609A7DD151B8F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7CA6F6859634778EA2472B68A3377382BB34FC46BF8F5F61FA89BCDAFC3209A7FC35000000');
INSERT INTO "sketch" VALUES(-6595091615942559755,X'0E000000020000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7CA6F68596472B68A3377382BB34FC46BF3209A7FC35000000');
INSERT INTO "sketch" VALUES(-6460893679168362506,X'0F000000040000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7C2A16287CA6F68596472B68A3377382BB34FC46BFA415A671E00100003209A7FC35000000');
INSERT INTO "sketch" VALUES(-6278571618573927906,X'0E000000020000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7CA6F68596472B68A3377382BB34FC46BF3209A7FC35000000');
INSERT INTO "sketch" VALUES(-5526222602597543076,X'0E000000020000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7CA6F68596472B68A3377382BB34FC46BF3209A7FC35000000');
INSERT INTO "sketch" VALUES(-4426051817414463471,X'0E000000020000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7CA6F68596472B68A3377382BB34FC46BF3209A7FC35000000');
INSERT INTO "sketch" VALUES(-3931155551654495307,X'0E000000020000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7CA6F68596472B68A3377382BB34FC46BF3209A7FC35000000');
INSERT INTO "sketch" VALUES(-3790247073180315134,X'0E000000020000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7CA6F68596472B68A3377382BB34FC46BF3209A7FC35000000');
INSERT INTO "sketch" VALUES(-3088994153234991718,X'0E000000020000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7CA6F68596472B68A3377382BB34FC46BF3209A7FC35000000');
INSERT INTO "sketch" VALUES(-2287979406085084303,X'0F000000040000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7C2A16287CA6F68596472B68A3377382BB34FC46BF85682371500000003209A7FC35000000');
INSERT INTO "sketch" VALUES(-1147417314772036276,X'0E000000020000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7CA6F68596472B68A3377382BB34FC46BF3209A7FC35000000');
INSERT INTO "sketch" VALUES(-1126903234409364077,X'0F000000040000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7C2A16287CA6F68596472B68A3377382BB34FC46BFC018C20EF00000003209A7FC35000000');
INSERT INTO "sketch" VALUES(-1111658922521940936,X'0E000000020000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7CA6F68596472B68A3377382BB34FC46BF3209A7FC35000000');
INSERT INTO "sketch" VALUES(999935974965801918,X'0E000000020000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7CA6F68596472B68A3377382BB34FC46BF3209A7FC35000000');
INSERT INTO "sketch" VALUES(1153852409728327426,X'0F000000040000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7C2A16287CA6F68596472B68A3377382BB34FC46BFF19CEBA0400100003209A7FC35000000');
INSERT INTO "sketch" VALUES(1633332902991586130,X'0E000000020000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7CA6F68596472B68A3377382BB34FC46BF3209A7FC35000000');
INSERT INTO "sketch" VALUES(2494644837736720043,X'0E000000020000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7CA6F68596472B68A3377382BB34FC46BF3209A7FC35000000');
INSERT INTO "sketch" VALUES(2568082887589199977,X'0E000000020000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7CA6F68596472B68A3377382BB34FC46BF3209A7FC35000000');
INSERT INTO "sketch" VALUES(2729125208742496758,X'0E000000020000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7CA6F68596472B68A3377382BB34FC46BF3209A7FC35000000');
INSERT INTO "sketch" VALUES(2959532797007469365,X'0E000000020000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7CA6F68596472B68A3377382BB34FC46BF3209A7FC35000000');
INSERT INTO "sketch" VALUES(4271870981309765179,X'0F000000040000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7C2A16287CA6F68596472B68A3377382BB34FC46BFF2047F72900100003209A7FC35000000');
INSERT INTO "sketch" VALUES(4735658920800113889,X'0E000000020000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7CA6F68596472B68A3377382BB34FC46BF3209A7FC35000000');
INSERT INTO "sketch" VALUES(5307038575586591011,X'0E000000020000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7CA6F68596472B68A3377382BB34FC46BF3209A7FC35000000');
INSERT INTO "sketch" VALUES(5860868144645908169,X'0E000000020000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7CA6F68596472B68A3377382BB34FC46BF3209A7FC35000000');
INSERT INTO "sketch" VALUES(7887034799035772945,X'0E000000020000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7CA6F68596472B68A3377382BB34FC46BF3209A7FC35000000');
INSERT INTO "sketch" VALUES(8263996199438291908,X'0F000000040000000000000000000000FAA16D07C829B6098F4262270CA1663AE66D453CB109813F42D2CB3F9A9C685B9D8EDB5D90681C7C2A16287CA6F68596472B68A3377382BB34FC46BF46839698A00000003209A7FC35000000');
CREATE TABLE suspect_page (      -- the fetched pages of patterns
    key INTEGER PRIMARY KEY,
    round INTEGER NOT NULL,      -- the round in which it was read
    use INTEGER,                 -- analysis.traps.Use; NULL: not judged yet
    settled INTEGER,             -- the round in which it was judged
    is_sample INTEGER NOT NULL DEFAULT 0, -- 1: it is being read again
    items BLOB NOT NULL DEFAULT x'' -- hashes of its links to listed pages outside of its space
);
INSERT INTO "suspect_page" VALUES(-8916090973901696593,2,3,2,0,X'');
INSERT INTO "suspect_page" VALUES(-8860292295563005896,3,3,3,0,X'');
INSERT INTO "suspect_page" VALUES(-8613581934599584161,3,3,3,0,X'');
INSERT INTO "suspect_page" VALUES(-7587092627047443454,2,1,2,0,X'');
INSERT INTO "suspect_page" VALUES(-6595091615942559755,4,3,4,0,X'');
INSERT INTO "suspect_page" VALUES(-6460893679168362506,6,1,6,0,X'');
INSERT INTO "suspect_page" VALUES(-6278571618573927906,4,3,4,0,X'');
INSERT INTO "suspect_page" VALUES(-5526222602597543076,3,3,3,0,X'');
INSERT INTO "suspect_page" VALUES(-4426051817414463471,4,3,4,0,X'');
INSERT INTO "suspect_page" VALUES(-3931155551654495307,2,3,2,0,X'');
INSERT INTO "suspect_page" VALUES(-3790247073180315134,1,3,1,0,X'');
INSERT INTO "suspect_page" VALUES(-3088994153234991718,4,3,4,0,X'');
INSERT INTO "suspect_page" VALUES(-2287979406085084303,1,1,1,0,X'');
INSERT INTO "suspect_page" VALUES(-1147417314772036276,2,3,2,0,X'');
INSERT INTO "suspect_page" VALUES(-1126903234409364077,3,1,3,0,X'');
INSERT INTO "suspect_page" VALUES(-1111658922521940936,1,3,1,0,X'');
INSERT INTO "suspect_page" VALUES(999935974965801918,2,3,2,0,X'');
INSERT INTO "suspect_page" VALUES(1153852409728327426,4,1,4,0,X'');
INSERT INTO "suspect_page" VALUES(1633332902991586130,2,3,2,0,X'');
INSERT INTO "suspect_page" VALUES(2494644837736720043,1,1,1,0,X'');
INSERT INTO "suspect_page" VALUES(2568082887589199977,1,6,1,0,X'');
INSERT INTO "suspect_page" VALUES(2729125208742496758,4,3,4,0,X'');
INSERT INTO "suspect_page" VALUES(2959532797007469365,4,3,4,0,X'');
INSERT INTO "suspect_page" VALUES(4271870981309765179,5,1,5,0,X'');
INSERT INTO "suspect_page" VALUES(4735658920800113889,3,3,3,0,X'');
INSERT INTO "suspect_page" VALUES(5307038575586591011,4,3,4,0,X'');
INSERT INTO "suspect_page" VALUES(5860868144645908169,4,3,4,0,X'');
INSERT INTO "suspect_page" VALUES(7887034799035772945,3,3,3,0,X'');
INSERT INTO "suspect_page" VALUES(8263996199438291908,2,1,2,0,X'');
CREATE TABLE trust (             -- records of sources: analysis.freshness.trust.Record
    run INTEGER NOT NULL,
    source TEXT NOT NULL,
    section INTEGER NOT NULL,    -- CRC-32 of its name; -1: all small sections
    hits REAL NOT NULL,
    false_alarms REAL NOT NULL,
    misses REAL NOT NULL,
    quiet REAL NOT NULL,
    alarm REAL NOT NULL,
    silence REAL NOT NULL,
    proof REAL NOT NULL,
    is_own REAL NOT NULL,
    PRIMARY KEY (run, source, section)
) WITHOUT ROWID;
INSERT INTO "trust" VALUES(2,'json_ld',-1,0.0,0.0,1.0,0.0,0.0,1.25276296849536805666e+00,0.0,0.0);
INSERT INTO "trust" VALUES(2,'json_ld',0,0.0,0.0,1.0,0.0,0.0,0.0,0.0,0.0);
INSERT INTO "trust" VALUES(2,'validators',0,1.0,0.0,0.0,50.0,0.0,0.0,0.0,0.0);
CREATE TABLE trust_change (      -- sources that lost or regained trust in a section
    run INTEGER NOT NULL,
    source TEXT NOT NULL,
    section INTEGER NOT NULL,
    name TEXT NOT NULL,          -- the first segment of the path
    is_trusted INTEGER NOT NULL,
    reason TEXT NOT NULL,        -- analysis.freshness.trust.REASONS
    evidence TEXT NOT NULL,
    PRIMARY KEY (run, source, section)
) WITHOUT ROWID;
CREATE TABLE url (
    key INTEGER PRIMARY KEY,
    url TEXT NOT NULL,
    state INTEGER NOT NULL,      -- 0 known, 1 pending, 2 in flight, 3 done
    sources INTEGER NOT NULL,    -- bits: 1 start, 2 followed link, 4 sitemap, 8 nofollow link
    depth INTEGER,               -- links from the start URL; NULL: not reached by links
    steps INTEGER,               -- like depth, pages of one list count once; 0 without max_depth
    hops INTEGER NOT NULL,       -- redirects in a row that led here
    position INTEGER NOT NULL,   -- order of discovery
    verdict TEXT,                -- NULL: none yet
    evidence TEXT,
    reason TEXT NOT NULL DEFAULT '', -- verdicts.Reason
    other_url TEXT NOT NULL DEFAULT '', -- the URL that the verdict is about: items.Judgement
    parent INTEGER,
    in_degree INTEGER,
    pagerank REAL,               -- NULL: not computed, or not a page
    reached INTEGER,             -- 1: followed links lead from the start URL to this one
    pattern INTEGER,             -- the pattern of a suspicious URL; NULL: not suspicious
    generation INTEGER,          -- the round in which it was first found: run.round
    draw INTEGER,                -- order of suspects within a generation, by path and query
    hint INTEGER,                -- the shape of a URL that ends like a file: file_hint
    first_link REAL,             -- when a link to it was first seen, over all runs
    first_sitemap REAL           -- when a sitemap first named it, over all runs
);
INSERT INTO "url" VALUES(-8916090973901696593,'http://site.example/13',3,2,3,0,0,58,'listed','','','',-1111658922521940936,1,0.0275547,1,4,1,3051208299,NULL,1.79539442775461244587e+09,NULL);
INSERT INTO "url" VALUES(-8860292295563005896,'http://site.example/10',3,2,3,0,0,63,'listed','','','',999935974965801918,1,0.0276639,1,4,2,752152529,NULL,1.79539442795777130128e+09,NULL);
INSERT INTO "url" VALUES(-8613581934599584161,'http://site.example/8',3,2,3,0,0,61,'listed','','','',-7587092627047443454,1,0.0276639,1,4,2,2076676620,NULL,1.795394427794337511e+09,NULL);
INSERT INTO "url" VALUES(-8547119171830756012,'http://site.example/moved',3,2,1,0,0,43,'redirect','301 to http://site.example/1','','http://site.example/1',1230749288082638149,1,NULL,1,NULL,0,NULL,NULL,1.79539442715974473956e+09,NULL);
INSERT INTO "url" VALUES(-7587092627047443454,'http://site.example/3',3,2,2,0,0,53,'listed','','','',2494644837736720043,1,0.0303723,1,4,1,3960818564,NULL,1.79539442760655689238e+09,NULL);
INSERT INTO "url" VALUES(-6819778811448790153,'http://site.example/canonical',3,2,1,0,0,47,'canonicalised','canonical is http://site.example/1','','http://site.example/1',1230749288082638149,1,0.0180704,1,NULL,0,NULL,NULL,1.79539442715974473956e+09,NULL);
INSERT INTO "url" VALUES(-6595091615942559755,'http://site.example/22',3,2,4,0,0,73,'listed','','','',-8860292295563005896,1,0.0265128,1,4,3,3925335358,NULL,1.79539442863532853122e+09,NULL);
INSERT INTO "url" VALUES(-6460893679168362506,'http://site.example/calendar?month=2026-06',3,2,6,0,0,76,'listed','','','',4271870981309765179,1,0.0627412,1,3,5,280350375,NULL,1.79539443002442240717e+09,NULL);
INSERT INTO "url" VALUES(-6278571618573927906,'http://site.example/20',3,2,4,0,0,71,'listed','','','',7887034799035772945,1,0.0265128,1,4,3,133807122,NULL,1.79539442861124038698e+09,NULL);
INSERT INTO "url" VALUES(-5526222602597543076,'http://site.example/7',3,2,3,0,0,60,'listed','','','',-7587092627047443454,1,0.0276639,1,4,2,3950546845,NULL,1.795394427794337511e+09,NULL);
INSERT INTO "url" VALUES(-5163801254169331567,'http://site.example/gone',3,2,1,0,0,45,'http_error','HTTP 404','','',1230749288082638149,1,NULL,1,NULL,0,NULL,NULL,1.79539442715974473956e+09,NULL);
INSERT INTO "url" VALUES(-4855870623676788213,'http://site.example/twin',3,2,1,0,0,46,'duplicate','same content as http://site.example/2','same_content','http://site.example/2',1230749288082638149,1,0.0180704,1,NULL,0,NULL,NULL,1.79539442715974473956e+09,NULL);
INSERT INTO "url" VALUES(-4426051817414463471,'http://site.example/18',3,2,4,0,0,69,'listed','','','',-8613581934599584161,1,0.0265128,1,4,3,571434979,NULL,1.79539442860793542859e+09,NULL);
INSERT INTO "url" VALUES(-4381107084448894251,'http://site.example/hidden',3,2,1,0,0,48,'noindex','<meta name="robots" content="noindex">','','',1230749288082638149,1,0.0180704,1,NULL,0,NULL,NULL,1.79539442715974473956e+09,NULL);
INSERT INTO "url" VALUES(-3931155551654495307,'http://site.example/14',3,2,3,0,0,59,'listed','','','',-1111658922521940936,1,0.0275547,1,4,1,733555656,NULL,1.79539442775461244587e+09,NULL);
INSERT INTO "url" VALUES(-3790247073180315134,'http://site.example/5',3,2,2,0,0,51,'listed','','','',2568082887589199977,2,0.0301155,1,4,0,91680433,NULL,1.79539442754398107524e+09,NULL);
INSERT INTO "url" VALUES(-3088994153234991718,'http://site.example/15',3,2,4,0,0,66,'listed','','','',-5526222602597543076,1,0.0265128,1,4,3,1555962718,NULL,1.79539442858633184431e+09,NULL);
INSERT INTO "url" VALUES(-2287979406085084303,'http://site.example/calendar?month=2026-01',3,2,1,0,0,49,'listed','','','',1230749288082638149,1,0.0180704,1,3,0,2396084996,NULL,1.79539442715974473956e+09,NULL);
INSERT INTO "url" VALUES(-1298006056793338793,'http://site.example/orphan',3,4,7,0,0,50,'listed','','','',NULL,0,0.0147556,0,NULL,0,NULL,NULL,NULL,1.79539442720665454863e+09);
INSERT INTO "url" VALUES(-1147417314772036276,'http://site.example/11',3,2,3,0,0,56,'listed','','','',-3790247073180315134,1,0.0275547,1,4,1,1540611911,NULL,1.79539442769887232784e+09,NULL);
INSERT INTO "url" VALUES(-1126903234409364077,'http://site.example/calendar?month=2026-03',3,2,3,0,0,64,'listed','','','',8263996199438291908,1,0.0403538,1,3,2,1625242152,NULL,1.79539442796530485154e+09,NULL);
INSERT INTO "url" VALUES(-1111658922521940936,'http://site.example/6',3,2,2,0,0,52,'listed','','','',2568082887589199977,2,0.0301155,1,4,0,2625617675,NULL,1.79539442754398107524e+09,NULL);
INSERT INTO "url" VALUES(999935974965801918,'http://site.example/4',3,2,2,0,0,54,'listed','','','',2494644837736720043,1,0.0303723,1,4,1,1920065063,NULL,1.79539442760655689238e+09,NULL);
INSERT INTO "url" VALUES(1153852409728327426,'http://site.example/calendar?month=2026-04',3,2,4,0,0,74,'listed','','','',-1126903234409364077,1,0.0490564,1,3,3,4273713035,NULL,1.79539442864994454383e+09,NULL);
INSERT INTO "url" VALUES(1230749288082638149,'http://site.example/',3,3,0,0,0,39,'listed','','','',NULL,1,0.0272979,1,NULL,0,NULL,NULL,1.79539442713080620766e+09,NULL);
INSERT INTO "url" VALUES(1633332902991586130,'http://site.example/12',3,2,3,0,0,57,'listed','','','',-3790247073180315134,1,0.0275547,1,4,1,3269103357,NULL,1.79539442769887232784e+09,NULL);
INSERT INTO "url" VALUES(2494644837736720043,'http://site.example/1',3,2,1,0,0,40,'listed','','','',1230749288082638149,3,0.036745,1,4,0,35334824,NULL,1.79539442715974473956e+09,NULL);
INSERT INTO "url" VALUES(2568082887589199977,'http://site.example/2',3,2,1,0,0,41,'listed','','','',1230749288082638149,1,0.0180704,1,4,0,2601679634,NULL,1.79539442715974473956e+09,NULL);
INSERT INTO "url" VALUES(2729125208742496758,'http://site.example/21',3,2,4,0,0,72,'listed','','','',-8860292295563005896,1,0.0265128,1,4,3,1895730308,NULL,1.79539442863532853122e+09,NULL);
INSERT INTO "url" VALUES(2959532797007469365,'http://site.example/19',3,2,4,0,0,70,'listed','','','',7887034799035772945,1,0.0265128,1,4,3,1426610037,NULL,1.79539442861124038698e+09,NULL);
INSERT INTO "url" VALUES(4271870981309765179,'http://site.example/calendar?month=2026-05',3,2,5,0,0,75,'listed','','','',1153852409728327426,1,0.0564536,1,3,4,2310840093,NULL,1.79539442977497124671e+09,NULL);
INSERT INTO "url" VALUES(4711160076284848801,'http://site.example/secret',0,2,1,0,0,42,'robots_disallowed','robots.txt line 2: Disallow: /secret','','',1230749288082638149,1,NULL,1,NULL,0,NULL,NULL,1.79539442715974473956e+09,NULL);
INSERT INTO "url" VALUES(4735658920800113889,'http://site.example/23',3,2,4,0,0,65,'listed','','','',-1147417314772036276,1,0.0381772,1,4,2,2666589608,NULL,1.79539442804075074196e+09,NULL);
INSERT INTO "url" VALUES(5307038575586591011,'http://site.example/16',3,2,4,0,0,67,'listed','','','',-5526222602597543076,1,0.0265128,1,4,3,3317123812,NULL,1.79539442858633184431e+09,NULL);
INSERT INTO "url" VALUES(5860868144645908169,'http://site.example/17',3,2,4,0,0,68,'listed','','','',-8613581934599584161,1,0.0265128,1,4,3,2997910130,NULL,1.79539442860793542859e+09,NULL);
INSERT INTO "url" VALUES(7887034799035772945,'http://site.example/9',3,2,3,0,0,62,'listed','','','',999935974965801918,1,0.0276639,1,4,2,213951130,NULL,1.79539442795777130128e+09,NULL);
INSERT INTO "url" VALUES(8263996199438291908,'http://site.example/calendar?month=2026-02',3,2,2,0,0,55,'listed','','','',-2287979406085084303,1,0.0301155,1,3,1,400034494,NULL,1.79539442763659238817e+09,NULL);
INSERT INTO "url" VALUES(8370694816011140704,'http://site.example/away',3,2,1,0,0,44,'offsite_redirect','301 to https://other.example/','','https://other.example/',1230749288082638149,1,NULL,1,NULL,0,NULL,NULL,1.79539442715974473956e+09,NULL);
CREATE TABLE verdict_history (   -- outcomes of URLs, for runs in which they changed
    key INTEGER NOT NULL,
    run INTEGER NOT NULL,
    verdict TEXT,                -- NULL: no longer named anywhere
    lastmod TEXT,                -- of a listed page
    PRIMARY KEY (key, run)
) WITHOUT ROWID;
INSERT INTO "verdict_history" VALUES(-8916090973901696593,1,'listed','');
INSERT INTO "verdict_history" VALUES(-8860292295563005896,1,'listed','');
INSERT INTO "verdict_history" VALUES(-8613581934599584161,1,'listed','');
INSERT INTO "verdict_history" VALUES(-8547119171830756012,1,'redirect','');
INSERT INTO "verdict_history" VALUES(-7587092627047443454,1,'listed','');
INSERT INTO "verdict_history" VALUES(-7587092627047443454,2,'listed','2026-11-23T00:40:41+00:00');
INSERT INTO "verdict_history" VALUES(-6819778811448790153,1,'canonicalised','');
INSERT INTO "verdict_history" VALUES(-6595091615942559755,1,'listed','');
INSERT INTO "verdict_history" VALUES(-6460893679168362506,1,'listed','');
INSERT INTO "verdict_history" VALUES(-6278571618573927906,1,'listed','');
INSERT INTO "verdict_history" VALUES(-5526222602597543076,1,'listed','');
INSERT INTO "verdict_history" VALUES(-5163801254169331567,1,'http_error','');
INSERT INTO "verdict_history" VALUES(-4855870623676788213,1,'duplicate','');
INSERT INTO "verdict_history" VALUES(-4426051817414463471,1,'listed','');
INSERT INTO "verdict_history" VALUES(-4381107084448894251,1,'noindex','');
INSERT INTO "verdict_history" VALUES(-3931155551654495307,1,'listed','');
INSERT INTO "verdict_history" VALUES(-3790247073180315134,1,'listed','');
INSERT INTO "verdict_history" VALUES(-3088994153234991718,1,'listed','');
INSERT INTO "verdict_history" VALUES(-2287979406085084303,1,'listed','');
INSERT INTO "verdict_history" VALUES(-1298006056793338793,1,'listed','');
INSERT INTO "verdict_history" VALUES(-1147417314772036276,1,'listed','');
INSERT INTO "verdict_history" VALUES(-1126903234409364077,1,'listed','');
INSERT INTO "verdict_history" VALUES(-1111658922521940936,1,'listed','');
INSERT INTO "verdict_history" VALUES(999935974965801918,1,'listed','');
INSERT INTO "verdict_history" VALUES(1153852409728327426,1,'listed','');
INSERT INTO "verdict_history" VALUES(1230749288082638149,1,'listed','');
INSERT INTO "verdict_history" VALUES(1633332902991586130,1,'listed','');
INSERT INTO "verdict_history" VALUES(2494644837736720043,1,'listed','');
INSERT INTO "verdict_history" VALUES(2568082887589199977,1,'listed','');
INSERT INTO "verdict_history" VALUES(2729125208742496758,1,'listed','');
INSERT INTO "verdict_history" VALUES(2959532797007469365,1,'listed','');
INSERT INTO "verdict_history" VALUES(4271870981309765179,1,'listed','');
INSERT INTO "verdict_history" VALUES(4711160076284848801,1,'robots_disallowed','');
INSERT INTO "verdict_history" VALUES(4735658920800113889,1,'listed','');
INSERT INTO "verdict_history" VALUES(5307038575586591011,1,'listed','');
INSERT INTO "verdict_history" VALUES(5860868144645908169,1,'listed','');
INSERT INTO "verdict_history" VALUES(7887034799035772945,1,'listed','');
INSERT INTO "verdict_history" VALUES(8263996199438291908,1,'listed','');
INSERT INTO "verdict_history" VALUES(8370694816011140704,1,'offsite_redirect','');
CREATE TABLE visit (             -- the visits of pages in all runs
    key INTEGER NOT NULL,
    run INTEGER NOT NULL,
    visited INTEGER NOT NULL,    -- seconds since the epoch
    changed INTEGER,             -- bits: 1 main text, 2 links, 4 directives; NULL: the first visit
    claims TEXT NOT NULL,        -- its dates of change: core.lastmod.pack
    PRIMARY KEY (key, run)
) WITHOUT ROWID;
INSERT INTO "visit" VALUES(-8916090973901696593,1,1795394428,NULL,'json_ld 1767225600 2026-01-01 2026-01-01');
INSERT INTO "visit" VALUES(-8916090973901696593,2,1795394441,0,'json_ld 1767225600 2026-01-01 2026-01-01');
INSERT INTO "visit" VALUES(-8860292295563005896,1,1795394428,NULL,'json_ld 1767225600 2026-01-01 2026-01-01');
INSERT INTO "visit" VALUES(-8860292295563005896,2,1795394441,0,'json_ld 1767225600 2026-01-01 2026-01-01');
INSERT INTO "visit" VALUES(-8613581934599584161,1,1795394428,NULL,'json_ld 1767225600 2026-01-01 2026-01-01');
INSERT INTO "visit" VALUES(-8613581934599584161,2,1795394441,0,'json_ld 1767225600 2026-01-01 2026-01-01');
INSERT INTO "visit" VALUES(-7587092627047443454,1,1795394427,NULL,'json_ld 1767225600 2026-01-01 2026-01-01');
INSERT INTO "visit" VALUES(-7587092627047443454,2,1795394441,1,'json_ld 1769904000 2026-02-01 2026-02-01');
INSERT INTO "visit" VALUES(-6819778811448790153,1,1795394427,NULL,'');
INSERT INTO "visit" VALUES(-6819778811448790153,2,1795394440,0,'');
INSERT INTO "visit" VALUES(-6595091615942559755,1,1795394429,NULL,'json_ld 1767225600 2026-01-01 2026-01-01');
INSERT INTO "visit" VALUES(-6595091615942559755,2,1795394442,0,'json_ld 1767225600 2026-01-01 2026-01-01');
INSERT INTO "visit" VALUES(-6460893679168362506,1,1795394430,NULL,'');
INSERT INTO "visit" VALUES(-6460893679168362506,2,1795394442,0,'');
INSERT INTO "visit" VALUES(-6278571618573927906,1,1795394429,NULL,'json_ld 1767225600 2026-01-01 2026-01-01');
INSERT INTO "visit" VALUES(-6278571618573927906,2,1795394442,0,'json_ld 1767225600 2026-01-01 2026-01-01');
INSERT INTO "visit" VALUES(-5526222602597543076,1,1795394428,NULL,'json_ld 1767225600 2026-01-01 2026-01-01');
INSERT INTO "visit" VALUES(-5526222602597543076,2,1795394441,0,'json_ld 1767225600 2026-01-01 2026-01-01');
INSERT INTO "visit" VALUES(-4855870623676788213,1,1795394427,NULL,'json_ld 1767225600 2026-01-01 2026-01-01');
INSERT INTO "visit" VALUES(-4855870623676788213,2,1795394440,0,'json_ld 1767225600 2026-01-01 2026-01-01');
INSERT INTO "visit" VALUES(-4426051817414463471,1,1795394429,NULL,'json_ld 1767225600 2026-01-01 2026-01-01');
INSERT INTO "visit" VALUES(-4426051817414463471,2,1795394442,0,'json_ld 1767225600 2026-01-01 2026-01-01');
INSERT INTO "visit" VALUES(-4381107084448894251,1,1795394427,NULL,'');
INSERT INTO "visit" VALUES(-4381107084448894251,2,1795394440,0,'');
INSERT INTO "visit" VALUES(-3931155551654495307,1,1795394428,NULL,'json_ld 1767225600 2026-01-01 2026-01-01');
INSERT INTO "visit" VALUES(-3931155551654495307,2,1795394441,0,'json_ld 1767225600 2026-01-01 2026-01-01');
INSERT INTO "visit" VALUES(-3790247073180315134,1,1795394427,NULL,'json_ld 1767225600 2026-01-01 2026-01-01');
INSERT INTO "visit" VALUES(-3790247073180315134,2,1795394441,0,'json_ld 1767225600 2026-01-01 2026-01-01');
INSERT INTO "visit" VALUES(-3088994153234991718,1,1795394429,NULL,'json_ld 1767225600 2026-01-01 2026-01-01');
INSERT INTO "visit" VALUES(-3088994153234991718,2,1795394441,0,'json_ld 1767225600 2026-01-01 2026-01-01');
INSERT INTO "visit" VALUES(-2287979406085084303,1,1795394427,NULL,'');
INSERT INTO "visit" VALUES(-2287979406085084303,2,1795394441,0,'');
INSERT INTO "visit" VALUES(-1298006056793338793,1,1795394430,NULL,'');
INSERT INTO "visit" VALUES(-1298006056793338793,2,1795394442,0,'');
INSERT INTO "visit" VALUES(-1147417314772036276,1,1795394428,NULL,'json_ld 1767225600 2026-01-01 2026-01-01');
INSERT INTO "visit" VALUES(-1147417314772036276,2,1795394441,0,'json_ld 1767225600 2026-01-01 2026-01-01');
INSERT INTO "visit" VALUES(-1126903234409364077,1,1795394428,NULL,'');
INSERT INTO "visit" VALUES(-1126903234409364077,2,1795394441,0,'');
INSERT INTO "visit" VALUES(-1111658922521940936,1,1795394427,NULL,'json_ld 1767225600 2026-01-01 2026-01-01');
INSERT INTO "visit" VALUES(-1111658922521940936,2,1795394441,0,'json_ld 1767225600 2026-01-01 2026-01-01');
INSERT INTO "visit" VALUES(999935974965801918,1,1795394427,NULL,'json_ld 1767225600 2026-01-01 2026-01-01');
INSERT INTO "visit" VALUES(999935974965801918,2,1795394441,0,'json_ld 1767225600 2026-01-01 2026-01-01');
INSERT INTO "visit" VALUES(1153852409728327426,1,1795394429,NULL,'');
INSERT INTO "visit" VALUES(1153852409728327426,2,1795394442,0,'');
INSERT INTO "visit" VALUES(1230749288082638149,1,1795394427,NULL,'json_ld 1767225600 2026-01-01 2026-01-01');
INSERT INTO "visit" VALUES(1230749288082638149,2,1795394439,0,'json_ld 1767225600 2026-01-01 2026-01-01');
INSERT INTO "visit" VALUES(1633332902991586130,1,1795394428,NULL,'json_ld 1767225600 2026-01-01 2026-01-01');
INSERT INTO "visit" VALUES(1633332902991586130,2,1795394441,0,'json_ld 1767225600 2026-01-01 2026-01-01');
INSERT INTO "visit" VALUES(2494644837736720043,1,1795394427,NULL,'json_ld 1767225600 2026-01-01 2026-01-01');
INSERT INTO "visit" VALUES(2494644837736720043,2,1795394440,0,'json_ld 1767225600 2026-01-01 2026-01-01');
INSERT INTO "visit" VALUES(2568082887589199977,1,1795394427,NULL,'json_ld 1767225600 2026-01-01 2026-01-01');
INSERT INTO "visit" VALUES(2568082887589199977,2,1795394440,0,'json_ld 1767225600 2026-01-01 2026-01-01');
INSERT INTO "visit" VALUES(2729125208742496758,1,1795394429,NULL,'json_ld 1767225600 2026-01-01 2026-01-01');
INSERT INTO "visit" VALUES(2729125208742496758,2,1795394442,0,'json_ld 1767225600 2026-01-01 2026-01-01');
INSERT INTO "visit" VALUES(2959532797007469365,1,1795394429,NULL,'json_ld 1767225600 2026-01-01 2026-01-01');
INSERT INTO "visit" VALUES(2959532797007469365,2,1795394442,0,'json_ld 1767225600 2026-01-01 2026-01-01');
INSERT INTO "visit" VALUES(4271870981309765179,1,1795394430,NULL,'');
INSERT INTO "visit" VALUES(4271870981309765179,2,1795394442,0,'');
INSERT INTO "visit" VALUES(4735658920800113889,1,1795394428,NULL,'json_ld 1767225600 2026-01-01 2026-01-01');
INSERT INTO "visit" VALUES(4735658920800113889,2,1795394441,0,'json_ld 1767225600 2026-01-01 2026-01-01');
INSERT INTO "visit" VALUES(5307038575586591011,1,1795394429,NULL,'json_ld 1767225600 2026-01-01 2026-01-01');
INSERT INTO "visit" VALUES(5307038575586591011,2,1795394441,0,'json_ld 1767225600 2026-01-01 2026-01-01');
INSERT INTO "visit" VALUES(5860868144645908169,1,1795394429,NULL,'json_ld 1767225600 2026-01-01 2026-01-01');
INSERT INTO "visit" VALUES(5860868144645908169,2,1795394442,0,'json_ld 1767225600 2026-01-01 2026-01-01');
INSERT INTO "visit" VALUES(7887034799035772945,1,1795394428,NULL,'json_ld 1767225600 2026-01-01 2026-01-01');
INSERT INTO "visit" VALUES(7887034799035772945,2,1795394441,0,'json_ld 1767225600 2026-01-01 2026-01-01');
INSERT INTO "visit" VALUES(8263996199438291908,1,1795394427,NULL,'');
INSERT INTO "visit" VALUES(8263996199438291908,2,1795394441,0,'');
CREATE INDEX frontier ON url (depth, position) WHERE state = 1;
CREATE INDEX suspect ON url (pattern, state, generation, draw) WHERE pattern IS NOT NULL;
CREATE INDEX revealed ON url (generation) WHERE generation > 0;
CREATE INDEX unjudged ON suspect_page (key) WHERE use IS NULL OR use = 4;
CREATE INDEX hinted ON url (hint, length(url), url) WHERE hint IS NOT NULL;
CREATE INDEX waiting ON render (signature, waiting, key) WHERE waiting <> '';
CREATE INDEX unrendered ON render_candidate (signature, key) WHERE NOT rendered AND NOT is_sample;
CREATE INDEX same_short ON "earlier_page" (title, excerpt) WHERE content_hash IS NULL;
CREATE INDEX same_content ON page (content_hash);
COMMIT;
PRAGMA application_id = 1397571920;
PRAGMA user_version = 7;
