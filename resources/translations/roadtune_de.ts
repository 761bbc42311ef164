<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>Age</name>
    <message>
        <source>just now</source>
        <translation>gerade eben</translation>
    </message>
    <message>
        <source>%1 min ago</source>
        <translation>vor %1 min</translation>
    </message>
    <message>
        <source>%1 h ago</source>
        <translation>vor %1 h</translation>
    </message>
    <message>
        <source>d MMM</source>
        <comment>a date</comment>
        <translation>d. MMM</translation>
    </message>
    <message>
        <source>MMM yyyy</source>
        <comment>a date</comment>
        <translation>MMM yyyy</translation>
    </message>
    <message>
        <source>d MMM yyyy</source>
        <comment>a date</comment>
        <translation>d. MMM yyyy</translation>
    </message>
</context>
<context>
    <name>Boxes</name>
    <message>
        <source>%1 · not counted</source>
        <translation>%1 · nicht gezählt</translation>
    </message>
    <message>
        <source>not counted</source>
        <translation>nicht gezählt</translation>
    </message>
</context>
<context>
    <name>Check</name>
    <message>
        <source>This machine</source>
        <translation>Dieser Rechner</translation>
    </message>
    <message>
        <source>Connection</source>
        <translation>Verbindung</translation>
    </message>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>Prozessor</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>Platte</translation>
    </message>
    <message>
        <source>Shared memory</source>
        <translation>Geteilter Speicher</translation>
    </message>
    <message>
        <source>Open files</source>
        <translation>Offene Dateien</translation>
    </message>
    <message>
        <source>Graphics driver</source>
        <translation>Grafiktreiber</translation>
    </message>
    <message>
        <source>Graphics cards</source>
        <translation>Grafikkarten</translation>
    </message>
    <message>
        <source>Clock</source>
        <translation>Uhr</translation>
    </message>
    <message>
        <source>Trainer</source>
        <translation>Trainer</translation>
    </message>
    <message>
        <source>Agent</source>
        <translation>Agent</translation>
    </message>
    <message>
        <source>Same driver</source>
        <translation>Gleicher Treiber</translation>
    </message>
    <message>
        <source>Same CUDA</source>
        <translation>Gleiches CUDA</translation>
    </message>
    <message>
        <source>Same C library</source>
        <translation>Gleiche C-Bibliothek</translation>
    </message>
    <message>
        <source>Torch</source>
        <translation>Torch</translation>
    </message>
    <message>
        <source>not measured yet; “Check again” does it</source>
        <translation>noch nicht gemessen; „Erneut prüfen“ holt es nach</translation>
    </message>
    <message>
        <source>NCCL</source>
        <translation>NCCL</translation>
    </message>
    <message>
        <source>Same NCCL</source>
        <translation>Gleiches NCCL</translation>
    </message>
    <message>
        <source>Links</source>
        <translation>Verbindungen untereinander</translation>
    </message>
    <message>
        <source>Sum over all</source>
        <translation>Summe über alle</translation>
    </message>
    <message>
        <source>Link %1</source>
        <translation>Verbindung %1</translation>
    </message>
    <message>
        <source>Sum %1</source>
        <translation>Summe %1</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>Reading %1</source>
        <translation>Lesen von %1</translation>
    </message>
    <message>
        <source>Data %1</source>
        <translation>Daten %1</translation>
    </message>
</context>
<context>
    <name>CheckText</name>
    <message>
        <source>%1 threads</source>
        <translation>%1 Threads</translation>
    </message>
    <message>
        <source>without AVX2</source>
        <translation>ohne AVX2</translation>
    </message>
    <message>
        <source>arithmetic on this processor will be slow</source>
        <translation>auf diesem Prozessor rechnet es sich langsam</translation>
    </message>
    <message>
        <source>%1 of %2 available</source>
        <translation>%1 von %2 verfügbar</translation>
    </message>
    <message>
        <source>not told</source>
        <translation>nicht genannt</translation>
    </message>
    <message>
        <source>end other programs: at least %1 are needed</source>
        <translation>andere Programme beenden: mindestens %1 werden gebraucht</translation>
    </message>
    <message>
        <source>%1 free at %2</source>
        <translation>%1 frei unter %2</translation>
    </message>
    <message>
        <source>writes %1</source>
        <translation>schreibt %1</translation>
    </message>
    <message>
        <source>cannot write: %1</source>
        <translation>nicht beschreibbar: %1</translation>
    </message>
    <message>
        <source>make that folder writable, or choose another output_dir</source>
        <translation>den Ordner beschreibbar machen oder ein anderes output_dir wählen</translation>
    </message>
    <message>
        <source>too little for %1 checkpoints of %2</source>
        <translation>zu wenig für %1 Checkpoints mit je %2</translation>
    </message>
    <message>
        <source>free space, a larger disk for that folder, a smaller save_total_limit, or save_only_model: true</source>
        <translation>Platz schaffen, ein größeres Laufwerk für den Ordner, ein kleineres save_total_limit oder save_only_model: true</translation>
    </message>
    <message>
        <source>free space, or set save_total_limit: checkpoints need room</source>
        <translation>Platz schaffen oder save_total_limit setzen: Checkpoints brauchen Raum</translation>
    </message>
    <message>
        <source>%1 inodes left</source>
        <translation>noch %1 Inodes</translation>
    </message>
    <message>
        <source>remove small files: the file system has no room for more names</source>
        <translation>kleine Dateien entfernen: das Dateisystem hat keinen Platz für weitere Namen</translation>
    </message>
    <message>
        <source>checkpoints will be slow; a local disk for that folder helps</source>
        <translation>Checkpoints werden dauern; ein lokales Laufwerk für den Ordner hilft</translation>
    </message>
    <message>
        <source>/dev/shm is not there</source>
        <translation>/dev/shm gibt es nicht</translation>
    </message>
    <message>
        <source>mount a tmpfs at /dev/shm</source>
        <translation>ein tmpfs unter /dev/shm einhängen</translation>
    </message>
    <message>
        <source>%1 free in /dev/shm</source>
        <translation>%1 frei in /dev/shm</translation>
    </message>
    <message>
        <source>in a container: --shm-size=1g; NCCL needs it</source>
        <translation>im Container: --shm-size=1g; NCCL braucht das</translation>
    </message>
    <message>
        <source>open files unlimited</source>
        <translation>offene Dateien unbegrenzt</translation>
    </message>
    <message>
        <source>%1 open files</source>
        <translation>%1 offene Dateien</translation>
    </message>
    <message>
        <source>none: training runs on the processor</source>
        <translation>keine: trainiert wird auf dem Prozessor</translation>
    </message>
    <message>
        <source>install the NVIDIA driver</source>
        <translation>den NVIDIA-Treiber installieren</translation>
    </message>
    <message>
        <source>%1: %2 of %3 free</source>
        <translation>%1: %2 von %3 frei</translation>
    </message>
    <message>
        <source>%1 other process</source>
        <translation>%1 anderer Prozess</translation>
    </message>
    <message>
        <source>%1 other processes</source>
        <translation>%1 andere Prozesse</translation>
    </message>
    <message>
        <source>other programs compute on a card: end them, or choose cards with gpus:</source>
        <translation>andere Programme rechnen auf einer Karte: sie beenden oder mit gpus: Karten auswählen</translation>
    </message>
    <message>
        <source>uncorrected memory errors</source>
        <translation>unkorrigierte Speicherfehler</translation>
    </message>
    <message>
        <source>reset the card or leave it out with gpus:</source>
        <translation>die Karte zurücksetzen oder mit gpus: auslassen</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keiner</translation>
    </message>
    <message>
        <source>driver 580 or later: this build computes with CUDA 13</source>
        <translation>Treiber 580 oder neuer: dieses Programm rechnet mit CUDA 13</translation>
    </message>
    <message>
        <source>kernel %1</source>
        <translation>Kernel %1</translation>
    </message>
    <message>
        <source>Debian 12, Ubuntu 24.04 or later: programs of this build need glibc 2.36</source>
        <translation>Debian 12, Ubuntu 24.04 oder neuer: diese Programme brauchen glibc 2.36</translation>
    </message>
    <message>
        <source>%1 from here</source>
        <translation>%1 gegenüber hier</translation>
    </message>
    <message>
        <source>let chrony or systemd-timesyncd set the clock</source>
        <translation>die Uhr von chrony oder systemd-timesyncd stellen lassen</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1 auf %2</translation>
    </message>
    <message>
        <source>install the same driver on every machine</source>
        <translation>auf jedem Rechner den gleichen Treiber installieren</translation>
    </message>
    <message>
        <source>%1 was not found</source>
        <translation>%1 wurde nicht gefunden</translation>
    </message>
    <message>
        <source>the first run installs it with pip, which takes minutes; or set ROADTUNE_TORCH there to its folder</source>
        <translation>der erste Lauf installiert es mit pip, das dauert Minuten; oder dort ROADTUNE_TORCH auf seinen Ordner setzen</translation>
    </message>
    <message>
        <source>connected in %1, host key known</source>
        <translation>verbunden in %1, Host-Schlüssel bekannt</translation>
    </message>
    <message>
        <source>libraries are missing: %1</source>
        <translation>Bibliotheken fehlen: %1</translation>
    </message>
    <message>
        <source>./dev setup brings them</source>
        <translation>./dev setup holt sie</translation>
    </message>
    <message>
        <source>torch is not linked</source>
        <translation>torch ist nicht eingebunden</translation>
    </message>
    <message>
        <source>torch %1 at %2</source>
        <translation>torch %1 unter %2</translation>
    </message>
    <message>
        <source>does not start</source>
        <translation>startet nicht</translation>
    </message>
    <message>
        <source>run `roadtune-agent --version` in a terminal to see why</source>
        <translation>`roadtune-agent --version` in einem Terminal aufrufen, um zu sehen, warum</translation>
    </message>
    <message>
        <source>no machine reaches another one</source>
        <translation>kein Rechner erreicht einen anderen</translation>
    </message>
    <message>
        <source>open the ports between the machines</source>
        <translation>die Ports zwischen den Rechnern öffnen</translation>
    </message>
    <message>
        <source>%1 of %2 pairs; %3 to %4, %5 to %6 there and back</source>
        <translation>%1 von %2 Paaren; %3 bis %4, %5 bis %6 hin und zurück</translation>
    </message>
    <message>
        <source>let %1 open connections to %2: firewall, route, interface</source>
        <translation>%1 Verbindungen zu %2 erlauben: Firewall, Route, Schnittstelle</translation>
    </message>
    <message>
        <source>%1, %2 there and back; %3 is usual here</source>
        <translation>%1, %2 hin und zurück; üblich sind hier %3</translation>
    </message>
    <message>
        <source>a bad cable, a slow switch port or the wrong interface; this pair slows every step</source>
        <translation>ein schlechtes Kabel, ein langsamer Anschluss am Switch oder die falsche Schnittstelle; dieses Paar bremst jeden Schritt</translation>
    </message>
    <message>
        <source>they cannot add up: %1</source>
        <translation>sie können nicht zusammenrechnen: %1</translation>
    </message>
    <message>
        <source>%1 for 1 MB; %2 is usual here</source>
        <translation>%1 für 1 MB; üblich sind hier %2</translation>
    </message>
    <message>
        <source>%1 machines add up 4 MB in %2</source>
        <translation>%1 Rechner addieren 4 MB in %2</translation>
    </message>
    <message>
        <source>every pair can, all together cannot: %1</source>
        <translation>jedes Paar kann es, alle zusammen nicht: %1</translation>
    </message>
    <message>
        <source>not all machines can add up with each other</source>
        <translation>nicht alle Rechner können miteinander rechnen</translation>
    </message>
    <message>
        <source>see the pairs below</source>
        <translation>siehe die Paare darunter</translation>
    </message>
    <message>
        <source>not tried: %1</source>
        <translation>nicht versucht: %1</translation>
    </message>
    <message>
        <source>not tried</source>
        <translation>nicht versucht</translation>
    </message>
    <message>
        <source>the first run on these machines brings what is needed</source>
        <translation>der erste Lauf auf diesen Rechnern bringt das Nötige mit</translation>
    </message>
    <message>
        <source>%1 file, %2</source>
        <translation>%1 Datei, %2</translation>
    </message>
    <message>
        <source>%1 files, %2</source>
        <translation>%1 Dateien, %2</translation>
    </message>
    <message>
        <source>the same everywhere</source>
        <translation>überall gleich</translation>
    </message>
    <message>
        <source>is not on %1</source>
        <translation>fehlt auf %1</translation>
    </message>
    <message>
        <source>`roadtune fleet sync` copies it there from here; or use a shared file system</source>
        <translation>`roadtune fleet sync` kopiert es von hier dorthin; oder ein gemeinsames Dateisystem nehmen</translation>
    </message>
    <message>
        <source>`roadtune fleet sync` copies it there from here, %1 each; or use a shared file system</source>
        <translation>`roadtune fleet sync` kopiert es von hier dorthin, je %1; oder ein gemeinsames Dateisystem nehmen</translation>
    </message>
    <message>
        <source>differs: %1</source>
        <translation>verschieden: %1</translation>
    </message>
    <message>
        <source>not asked</source>
        <translation>nicht gefragt</translation>
    </message>
    <message>
        <source>no answer</source>
        <translation>keine Antwort</translation>
    </message>
    <message>
        <source>unknown host key %1</source>
        <translation>unbekannter Host-Schlüssel %1</translation>
    </message>
    <message>
        <source>permission denied: %1</source>
        <translation>Zugang verweigert: %1</translation>
    </message>
    <message>
        <source>pip install nvidia-nccl-cu13 beside torch, or train with ddp_backend: gloo</source>
        <translation>pip install nvidia-nccl-cu13 neben torch, oder mit ddp_backend: gloo trainieren</translation>
    </message>
    <message>
        <source>on %1: pip install nvidia-nccl-cu13==%2 beside torch</source>
        <translation>auf %1: pip install nvidia-nccl-cu13==%2 neben torch</translation>
    </message>
    <message>
        <source>%1 machines add up 4 MB in %2 over NCCL between graphics cards</source>
        <translation>%1 Rechner addieren 4 MB in %2 über NCCL zwischen Grafikkarten</translation>
    </message>
    <message>
        <source>%1 machines add up 4 MB in %2 over Gloo</source>
        <translation>%1 Rechner addieren 4 MB in %2 über Gloo</translation>
    </message>
    <message>
        <source>no NCCL: %1</source>
        <translation>kein NCCL: %1</translation>
    </message>
    <message>
        <source>%1: %2 a sample (95 % under %3), %4/s</source>
        <translation>%1: %2 je Beispiel (95 % unter %3), %4/s</translation>
    </message>
    <message>
        <source>%1: %2 a read (95 % under %3), %4/s</source>
        <translation>%1: %2 je Lesevorgang (95 % unter %3), %4/s</translation>
    </message>
    <message>
        <source>%1: there is nothing at this address</source>
        <translation>%1: unter dieser Adresse liegt nichts</translation>
    </message>
    <message>
        <source>%1: holds no sample</source>
        <translation>%1: enthält kein Beispiel</translation>
    </message>
    <message>
        <source>`roadtune data pack` onto a local disk</source>
        <translation>`roadtune data pack` auf eine lokale Platte</translation>
    </message>
    <message>
        <source>`roadtune data fetch %1 --cache DIR` with DIR on a file system that all machines share, or on each machine, and name the folder that it prints</source>
        <translation>`roadtune data fetch %1 --cache DIR` mit DIR auf einem Dateisystem, das alle Rechner teilen, oder auf jedem Rechner, und den Ordner nennen, den es ausgibt</translation>
    </message>
    <message>
        <source>there is nothing at this address</source>
        <translation>unter dieser Adresse liegt nichts</translation>
    </message>
    <message>
        <source>holds no sample</source>
        <translation>enthält kein Beispiel</translation>
    </message>
    <message>
        <source>%1 is fetched by runs of this machine only, and the processes run elsewhere</source>
        <translation>%1 wird nur von Läufen dieses Rechners geholt, und die Prozesse laufen anderswo</translation>
    </message>
    <message>
        <source>`roadtune fleet sync` makes it what it is here; processes would not see the same</source>
        <translation>`roadtune fleet sync` macht es wie hier; die Prozesse sähen sonst Verschiedenes</translation>
    </message>
    <message>
        <source>the first run copies it from here (%1); or set ROADTUNE_TORCH there to its folder</source>
        <translation>der erste Lauf kopiert es von hier (%1); oder dort ROADTUNE_TORCH auf seinen Ordner setzen</translation>
    </message>
    <message>
        <source>free %1 in its home, where the first run copies it to from here: %2 are free</source>
        <translation>%1 in seinem Home-Ordner freimachen, wohin der erste Lauf es von hier kopiert: %2 sind frei</translation>
    </message>
    <message>
        <source>%1, without its GPU half</source>
        <translation>%1, ohne seine GPU-Hälfte</translation>
    </message>
    <message>
        <source>%1: &apos;%2&apos; is not supported</source>
        <translation>%1: „%2“ wird nicht unterstützt</translation>
    </message>
    <message>
        <source>%1: Match %2 is not supported; the block is skipped</source>
        <translation>%1: Match %2 wird nicht unterstützt; der Block wird übersprungen</translation>
    </message>
    <message>
        <source>%1: StrictHostKeyChecking %2 is not followed; unknown keys are always shown first</source>
        <translation>%1: StrictHostKeyChecking %2 wird nicht befolgt; unbekannte Schlüssel werden immer zuerst gezeigt</translation>
    </message>
    <message>
        <source>%1 and %2 are the same machine</source>
        <translation>%1 und %2 sind derselbe Rechner</translation>
    </message>
    <message>
        <source>name each machine once; more ranks to a machine give it more</source>
        <translation>jeden Rechner einmal nennen; mehr Ränge je Rechner geben ihm mehr zu tun</translation>
    </message>
</context>
<context>
    <name>Choice</name>
    <message>
        <source>Automatic</source>
        <translation>Automatisch</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Aus</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keine</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>In memory</source>
        <translation>Im Arbeitsspeicher</translation>
    </message>
    <message>
        <source>On disk</source>
        <translation>Auf der Platte</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>Nie</translation>
    </message>
    <message>
        <source>Every so many steps</source>
        <translation>Alle so viele Schritte</translation>
    </message>
    <message>
        <source>After each epoch</source>
        <translation>Nach jeder Epoche</translation>
    </message>
    <message>
        <source>When it is the best so far</source>
        <translation>Wenn er der bisher beste ist</translation>
    </message>
    <message>
        <source>Stop the run</source>
        <translation>Den Lauf anhalten</translation>
    </message>
    <message>
        <source>Leave it out</source>
        <translation>Auslassen</translation>
    </message>
    <message>
        <source>Cut its answer</source>
        <translation>Seine Antwort kürzen</translation>
    </message>
    <message>
        <source>Warn</source>
        <translation>Warnen</translation>
    </message>
    <message>
        <source>Ignore it</source>
        <translation>Übergehen</translation>
    </message>
    <message>
        <source>transformers 5.23</source>
        <translation>transformers 5.23</translation>
    </message>
    <message>
        <source>transformers 5, SDPA</source>
        <translation>transformers 5, SDPA</translation>
    </message>
    <message>
        <source>transformers 4.51, eager</source>
        <translation>transformers 4.51, eager</translation>
    </message>
    <message>
        <source>big_vision</source>
        <translation>big_vision</translation>
    </message>
    <message>
        <source>As in its files</source>
        <translation>Wie in seinen Dateien</translation>
    </message>
    <message>
        <source>Detection</source>
        <translation>Erkennung</translation>
    </message>
    <message>
        <source>Questions and answers</source>
        <translation>Fragen und Antworten</translation>
    </message>
    <message>
        <source>Captions</source>
        <translation>Bildunterschriften</translation>
    </message>
    <message>
        <source>New in each epoch</source>
        <translation>In jeder Epoche neu</translation>
    </message>
    <message>
        <source>From the top left</source>
        <translation>Von links oben</translation>
    </message>
    <message>
        <source>Largest first</source>
        <translation>Die größten zuerst</translation>
    </message>
    <message>
        <source>As stored</source>
        <translation>Wie gespeichert</translation>
    </message>
    <message>
        <source>Bicubic, as Pillow</source>
        <translation>Bikubisch, wie Pillow</translation>
    </message>
    <message>
        <source>Full fine-tuning</source>
        <translation>Volles Training</translation>
    </message>
    <message>
        <source>LoRA</source>
        <translation>LoRA</translation>
    </message>
    <message>
        <source>QLoRA</source>
        <translation>QLoRA</translation>
    </message>
    <message>
        <source>Of adapted layers</source>
        <translation>Die angepasster Schichten</translation>
    </message>
    <message>
        <source>Uniform</source>
        <translation>Gleichverteilt</translation>
    </message>
    <message>
        <source>Gaussian</source>
        <translation>Normalverteilt</translation>
    </message>
    <message>
        <source>Orthogonal</source>
        <translation>Orthogonal</translation>
    </message>
    <message>
        <source>Both at random</source>
        <translation>Beide zufällig</translation>
    </message>
    <message>
        <source>NF4</source>
        <translation>NF4</translation>
    </message>
    <message>
        <source>All but the head</source>
        <translation>Alle außer dem Kopf</translation>
    </message>
    <message>
        <source>The language model&apos;s</source>
        <translation>Die des Sprachmodells</translation>
    </message>
    <message>
        <source>AdamW</source>
        <translation>AdamW</translation>
    </message>
    <message>
        <source>AdamW, by its other name</source>
        <translation>AdamW, unter anderem Namen</translation>
    </message>
    <message>
        <source>AdamW, 8 bit</source>
        <translation>AdamW, 8 Bit</translation>
    </message>
    <message>
        <source>Mean of all answer tokens</source>
        <translation>Mittel aller Antwort-Token</translation>
    </message>
    <message>
        <source>Mean of the samples&apos; means</source>
        <translation>Mittel der Mittel der Beispiele</translation>
    </message>
    <message>
        <source>Linear</source>
        <translation>Linear</translation>
    </message>
    <message>
        <source>Cosine</source>
        <translation>Kosinus</translation>
    </message>
    <message>
        <source>Cosine with restarts</source>
        <translation>Kosinus mit Neustarts</translation>
    </message>
    <message>
        <source>Polynomial</source>
        <translation>Polynom</translation>
    </message>
    <message>
        <source>Constant</source>
        <translation>Konstant</translation>
    </message>
    <message>
        <source>Constant with warmup</source>
        <translation>Konstant mit Aufwärmen</translation>
    </message>
    <message>
        <source>Inverse square root</source>
        <translation>Kehrwert der Wurzel</translation>
    </message>
    <message>
        <source>Cosine to a least rate</source>
        <translation>Kosinus bis zu einer kleinsten Rate</translation>
    </message>
    <message>
        <source>Cosine with warmup to a least rate</source>
        <translation>Kosinus mit Aufwärmen bis zu einer kleinsten Rate</translation>
    </message>
    <message>
        <source>Warmup, stable, decay</source>
        <translation>Aufwärmen, halten, senken</translation>
    </message>
    <message>
        <source>Leave the step out</source>
        <translation>Den Schritt auslassen</translation>
    </message>
    <message>
        <source>Save and stop</source>
        <translation>Sichern und anhalten</translation>
    </message>
    <message>
        <source>Warn and wait</source>
        <translation>Warnen und warten</translation>
    </message>
    <message>
        <source>What most readers know</source>
        <translation>Was die meisten Leser kennen</translation>
    </message>
    <message>
        <source>transformers 4.51 and older</source>
        <translation>transformers 4.51 und älter</translation>
    </message>
    <message>
        <source>transformers 4.52 to 5.5</source>
        <translation>transformers 4.52 bis 5.5</translation>
    </message>
    <message>
        <source>As PEFT writes today</source>
        <translation>Wie PEFT heute schreibt</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>A copy each (DDP)</source>
        <translation>Je eine Kopie (DDP)</translation>
    </message>
    <message>
        <source>A share each</source>
        <translation>Je ein Teil</translation>
    </message>
    <message>
        <source>Shares within a machine</source>
        <translation>Teile in jedem Rechner</translation>
    </message>
    <message>
        <source>NCCL</source>
        <translation>NCCL</translation>
    </message>
    <message>
        <source>Gloo</source>
        <translation>Gloo</translation>
    </message>
</context>
<context>
    <name>Curve</name>
    <message>
        <source>training</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>evaluation</source>
        <translation>Auswertung</translation>
    </message>
    <message>
        <source>all processes</source>
        <translation>alle Prozesse</translation>
    </message>
    <message>
        <source>norm</source>
        <translation>Norm</translation>
    </message>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>base</source>
        <translation>Grundwert</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>machine</source>
        <translation>Rechner</translation>
    </message>
    <message>
        <source>trainer</source>
        <translation>Trainer</translation>
    </message>
    <message>
        <source>read</source>
        <translation>gelesen</translation>
    </message>
    <message>
        <source>written</source>
        <translation>geschrieben</translation>
    </message>
    <message>
        <source>GPU %1</source>
        <translation>GPU %1</translation>
    </message>
    <message>
        <source>AP</source>
        <translation>AP</translation>
    </message>
    <message>
        <source>AP50</source>
        <translation>AP50</translation>
    </message>
    <message>
        <source>exact answers</source>
        <translation>genaue Antworten</translation>
    </message>
    <message>
        <source>vision tower</source>
        <translation>Bildturm</translation>
    </message>
    <message>
        <source>projector</source>
        <translation>Projektor</translation>
    </message>
    <message>
        <source>language model</source>
        <translation>Sprachmodell</translation>
    </message>
    <message>
        <source>training, smoothed</source>
        <translation>Training, geglättet</translation>
    </message>
    <message>
        <source>each step</source>
        <translation>jeder Schritt</translation>
    </message>
    <message>
        <source>held at most</source>
        <translation>höchstens gehalten</translation>
    </message>
    <message>
        <source>by plan</source>
        <translation>laut Plan</translation>
    </message>
    <message>
        <source>malformed pieces</source>
        <translation>unlesbare Stücke</translation>
    </message>
</context>
<context>
    <name>ErrorText</name>
    <message>
        <source>connection refused</source>
        <translation>Verbindung abgelehnt</translation>
    </message>
    <message>
        <source>is sshd running there, on that port?</source>
        <translation>läuft dort sshd, an diesem Port?</translation>
    </message>
    <message>
        <source>the host cannot be reached from here</source>
        <translation>der Rechner ist von hier aus nicht zu erreichen</translation>
    </message>
    <message>
        <source>check the network and the route</source>
        <translation>Netz und Route prüfen</translation>
    </message>
    <message>
        <source>no answer within %1 s</source>
        <translation>keine Antwort innerhalb von %1 s</translation>
    </message>
    <message>
        <source>check the address, the network and firewalls</source>
        <translation>Adresse, Netz und Firewalls prüfen</translation>
    </message>
    <message>
        <source>the name cannot be resolved: %1</source>
        <translation>der Name lässt sich nicht auflösen: %1</translation>
    </message>
    <message>
        <source>check the spelling, or give an address</source>
        <translation>Schreibweise prüfen oder eine Adresse angeben</translation>
    </message>
    <message>
        <source>the SSH handshake failed: %1</source>
        <translation>der SSH-Verbindungsaufbau ist gescheitert: %1</translation>
    </message>
    <message>
        <source>is that port really sshd&apos;s?</source>
        <translation>gehört dieser Port wirklich sshd?</translation>
    </message>
    <message>
        <source>the server showed no host key</source>
        <translation>der Server hat keinen Host-Schlüssel gezeigt</translation>
    </message>
    <message>
        <source>the host key could not be checked: %1</source>
        <translation>der Host-Schlüssel ließ sich nicht prüfen: %1</translation>
    </message>
    <message>
        <source>the key could not be stored: %1</source>
        <translation>der Schlüssel ließ sich nicht ablegen: %1</translation>
    </message>
    <message>
        <source>check that the file can be written</source>
        <translation>prüfen, ob die Datei geschrieben werden kann</translation>
    </message>
    <message>
        <source>unknown host key %1</source>
        <translation>unbekannter Host-Schlüssel %1</translation>
    </message>
    <message>
        <source>THE HOST KEY CHANGED: the server now shows %1. Someone may be in between, or the machine was set up anew</source>
        <translation>DER HOST-SCHLÜSSEL HAT SICH GEÄNDERT: der Server zeigt jetzt %1. Jemand könnte dazwischen sitzen, oder der Rechner wurde neu aufgesetzt</translation>
    </message>
    <message>
        <source>ask its administrator; only if the change is real: %1</source>
        <translation>die Administration fragen; nur wenn die Änderung echt ist: %1</translation>
    </message>
    <message>
        <source>permission denied: %1</source>
        <translation>Zugang verweigert: %1</translation>
    </message>
    <message>
        <source>add your key to the agent (ssh-add), or copy it there (ssh-copy-id)</source>
        <translation>den Schlüssel dem Agenten geben (ssh-add) oder dorthin kopieren (ssh-copy-id)</translation>
    </message>
    <message>
        <source>the connection broke off: %1</source>
        <translation>die Verbindung ist abgebrochen: %1</translation>
    </message>
    <message>
        <source>the connection was lost: %1</source>
        <translation>die Verbindung ging verloren: %1</translation>
    </message>
    <message>
        <source>reconnect</source>
        <translation>neu verbinden</translation>
    </message>
    <message>
        <source>reconnect and try again</source>
        <translation>neu verbinden und noch einmal versuchen</translation>
    </message>
    <message>
        <source>cannot start a command: %1</source>
        <translation>ein Befehl lässt sich nicht starten: %1</translation>
    </message>
    <message>
        <source>cannot reach %1 from there: %2</source>
        <translation>%1 ist von dort nicht zu erreichen: %2</translation>
    </message>
    <message>
        <source>does the jump host allow forwarding (AllowTcpForwarding) and reach the next one?</source>
        <translation>erlaubt der Sprungrechner Weiterleitung (AllowTcpForwarding), und erreicht er den nächsten?</translation>
    </message>
    <message>
        <source>no end after %1 s: %2</source>
        <translation>kein Ende nach %1 s: %2</translation>
    </message>
    <message>
        <source>&apos;%1&apos; ended with %2: %3</source>
        <translation>„%1“ endete mit %2: %3</translation>
    </message>
    <message>
        <source>is not a host name</source>
        <translation>ist kein Rechnername</translation>
    </message>
    <message>
        <source>write user@host or host:port</source>
        <translation>nutzer@rechner oder rechner:port schreiben</translation>
    </message>
    <message>
        <source>is not a port number</source>
        <translation>ist keine Portnummer</translation>
    </message>
    <message>
        <source>write host:22</source>
        <translation>rechner:22 schreiben</translation>
    </message>
    <message>
        <source>is not a machine</source>
        <translation>ist kein Rechner</translation>
    </message>
    <message>
        <source>a name, or a map with host, user and port</source>
        <translation>ein Name oder eine Zuordnung mit host, user und port</translation>
    </message>
    <message>
        <source>lists no machines</source>
        <translation>nennt keine Rechner</translation>
    </message>
    <message>
        <source>names %1 twice</source>
        <translation>nennt %1 zweimal</translation>
    </message>
    <message>
        <source>a machine runs 1 to 1024 processes, not %1</source>
        <translation>auf einem Rechner laufen 1 bis 1024 Prozesse, nicht %1</translation>
    </message>
    <message>
        <source>no route to %1</source>
        <translation>kein Weg zu %1</translation>
    </message>
    <message>
        <source>gives no understandable answer</source>
        <translation>gibt keine verständliche Antwort</translation>
    </message>
    <message>
        <source>gives no understandable answer: %1</source>
        <translation>gibt keine verständliche Antwort: %1</translation>
    </message>
    <message>
        <source>the agent did not start: %1</source>
        <translation>der Agent ist nicht gestartet: %1</translation>
    </message>
    <message>
        <source>the agent gave no understandable answer: %1</source>
        <translation>der Agent gab keine verständliche Antwort: %1</translation>
    </message>
    <message>
        <source>the trainer does not start there: %1</source>
        <translation>der Trainer startet dort nicht: %1</translation>
    </message>
    <message>
        <source>Debian 12, Ubuntu 22.04 or newer is needed</source>
        <translation>nötig ist Debian 12, Ubuntu 22.04 oder neuer</translation>
    </message>
    <message>
        <source>the disk is too small for %1: %2</source>
        <translation>die Platte ist zu klein für %1: %2</translation>
    </message>
    <message>
        <source>free space there, or move the home folder to a larger disk</source>
        <translation>dort Platz schaffen oder das Home-Verzeichnis auf eine größere Platte legen</translation>
    </message>
    <message>
        <source>pip install torch==%1 there, or set ROADTUNE_TORCH to its folder</source>
        <translation>dort pip install torch==%1, oder ROADTUNE_TORCH auf seinen Ordner setzen</translation>
    </message>
    <message>
        <source>model or data are missing on the machines:
  %1</source>
        <translation>auf den Rechnern fehlen Modell oder Daten:
  %1</translation>
    </message>
    <message>
        <source>--sync copies it from here, or use a shared file system</source>
        <translation>--sync kopiert es von hier; oder ein gemeinsames Dateisystem verwenden</translation>
    </message>
    <message>
        <source>put it there under the same path, or here, and --sync copies it</source>
        <translation>dort unter demselben Pfad ablegen, oder hier, und --sync kopiert es</translation>
    </message>
    <message>
        <source>cannot write %1</source>
        <translation>%1 lässt sich nicht schreiben</translation>
    </message>
    <message>
        <source>cannot write %1: %2</source>
        <translation>%1 lässt sich nicht schreiben: %2</translation>
    </message>
    <message>
        <source>check free space and permissions there</source>
        <translation>dort freien Platz und Rechte prüfen</translation>
    </message>
    <message>
        <source>check free space and permissions there; what has arrived stays</source>
        <translation>dort freien Platz und Rechte prüfen; was angekommen ist, bleibt</translation>
    </message>
    <message>
        <source>cannot take the files: %1</source>
        <translation>nimmt die Dateien nicht an: %1</translation>
    </message>
    <message>
        <source>the copy differs from the original</source>
        <translation>die Kopie weicht vom Original ab</translation>
    </message>
    <message>
        <source>the copy differs from the original: %1</source>
        <translation>die Kopie weicht vom Original ab: %1</translation>
    </message>
    <message>
        <source>is the file being changed there, or the disk faulty?</source>
        <translation>wird die Datei dort gerade geändert, oder ist die Platte defekt?</translation>
    </message>
    <message>
        <source>is the disk there full or faulty?</source>
        <translation>ist die Platte dort voll oder defekt?</translation>
    </message>
    <message>
        <source>nothing arrived for 30 s</source>
        <translation>30 s lang kam nichts an</translation>
    </message>
    <message>
        <source>nothing was taken for two minutes: %1</source>
        <translation>zwei Minuten lang wurde nichts angenommen: %1</translation>
    </message>
    <message>
        <source>check the connection; the copy goes on where it ended</source>
        <translation>die Verbindung prüfen; die Kopie geht weiter, wo sie endete</translation>
    </message>
    <message>
        <source>the program %1 is not beside this one</source>
        <translation>das Programm %1 liegt nicht neben diesem</translation>
    </message>
    <message>
        <source>build or install all programs together</source>
        <translation>alle Programme zusammen bauen oder installieren</translation>
    </message>
    <message>
        <source>a run is going on in this folder</source>
        <translation>in diesem Ordner läuft gerade ein Lauf</translation>
    </message>
    <message>
        <source>another output_dir, or end it with: %1</source>
        <translation>ein anderes output_dir, oder ihn beenden mit: %1</translation>
    </message>
    <message>
        <source>output_dir already holds a run</source>
        <translation>in output_dir liegt schon ein Lauf</translation>
    </message>
    <message>
        <source>output_dir is too long a name</source>
        <translation>output_dir ist ein zu langer Name</translation>
    </message>
    <message>
        <source>output_dir is a link that leads nowhere</source>
        <translation>output_dir ist ein Link, der ins Leere führt</translation>
    </message>
    <message>
        <source>output_dir cannot be made there: %1</source>
        <translation>output_dir lässt sich dort nicht anlegen: %1</translation>
    </message>
    <message>
        <source>%1, another output_dir, or overwrite_output_dir: true</source>
        <translation>%1, ein anderes output_dir oder overwrite_output_dir: true</translation>
    </message>
    <message>
        <source>is a file, not a folder</source>
        <translation>ist eine Datei, kein Ordner</translation>
    </message>
    <message>
        <source>is a folder, not a file</source>
        <translation>ist ein Ordner, keine Datei</translation>
    </message>
    <message>
        <source>is a file; a run is a folder</source>
        <translation>ist eine Datei; ein Lauf ist ein Ordner</translation>
    </message>
    <message>
        <source>is a folder</source>
        <translation>ist ein Ordner</translation>
    </message>
    <message>
        <source>another output_dir</source>
        <translation>ein anderes output_dir</translation>
    </message>
    <message>
        <source>name a YAML file</source>
        <translation>eine YAML-Datei nennen</translation>
    </message>
    <message>
        <source>holds no run (no run.yaml with events)</source>
        <translation>enthält keinen Lauf (kein run.yaml mit Ereignissen)</translation>
    </message>
    <message>
        <source>the output_dir of a run</source>
        <translation>das output_dir eines Laufs</translation>
    </message>
    <message>
        <source>holds no run: neither events/ nor TensorBoard files</source>
        <translation>enthält keinen Lauf: weder events/ noch TensorBoard-Dateien</translation>
    </message>
    <message>
        <source>there is no such run</source>
        <translation>diesen Lauf gibt es nicht</translation>
    </message>
    <message>
        <source>there is no such folder</source>
        <translation>diesen Ordner gibt es nicht</translation>
    </message>
    <message>
        <source>the output_dir of a run; `roadtune runs ls` lists them</source>
        <translation>das output_dir eines Laufs; `roadtune runs ls` zählt sie auf</translation>
    </message>
    <message>
        <source>the run is going on</source>
        <translation>der Lauf ist im Gange</translation>
    </message>
    <message>
        <source>the run is not going on</source>
        <translation>der Lauf ist nicht im Gange</translation>
    </message>
    <message>
        <source>roadtune runs show tells how it ended</source>
        <translation>roadtune runs show sagt, wie er endete</translation>
    </message>
    <message>
        <source>has no manifest.json: roadtune train did not start this run</source>
        <translation>hat kein manifest.json: diesen Lauf hat nicht roadtune train gestartet</translation>
    </message>
    <message>
        <source>start it with its own launcher again, with resume_from_checkpoint: latest</source>
        <translation>mit dem eigenen Starter noch einmal starten, mit resume_from_checkpoint: latest</translation>
    </message>
    <message>
        <source>there is no complete checkpoint</source>
        <translation>es gibt keinen vollständigen Checkpoint</translation>
    </message>
    <message>
        <source>roadtune save, or a smaller save_steps</source>
        <translation>roadtune save, oder ein kleineres save_steps</translation>
    </message>
    <message>
        <source>holds several YAML documents</source>
        <translation>enthält mehrere YAML-Dokumente</translation>
    </message>
    <message>
        <source>one list of machines, without `---` between them</source>
        <translation>eine Liste von Rechnern, ohne `---` dazwischen</translation>
    </message>
    <message>
        <source>its checkpoints hold weights alone (save_only_model: true): there is nothing to continue from</source>
        <translation>seine Checkpoints enthalten nur Gewichte (save_only_model: true): es gibt nichts, von dem es weitergehen könnte</translation>
    </message>
    <message>
        <source>start a new run from the weights of its last checkpoint</source>
        <translation>einen neuen Lauf mit den Gewichten des letzten Checkpoints beginnen</translation>
    </message>
    <message>
        <source>there is no complete checkpoint to continue from</source>
        <translation>es gibt keinen vollständigen Checkpoint, von dem es weitergehen könnte</translation>
    </message>
    <message>
        <source>start it again with overwrite_output_dir: true, or with a smaller save_steps</source>
        <translation>mit overwrite_output_dir: true neu starten, oder mit kleinerem save_steps</translation>
    </message>
    <message>
        <source>there is no complete checkpoint of step %1</source>
        <translation>es gibt keinen vollständigen Checkpoint von Schritt %1</translation>
    </message>
    <message>
        <source>this folder holds no complete checkpoint: the run went on to save where it began, last as %1</source>
        <translation>in diesem Ordner liegt kein vollständiger Checkpoint: der Lauf hat weiter dort gespeichert, wo er begann, zuletzt als %1</translation>
    </message>
    <message>
        <source>mv %1 %2, then resume again</source>
        <translation>mv %1 %2, dann noch einmal fortsetzen</translation>
    </message>
    <message>
        <source>roadtune runs show lists them</source>
        <translation>roadtune runs show zählt sie auf</translation>
    </message>
    <message>
        <source>the checkpoint lies on another machine that cannot be asked: %1</source>
        <translation>der Checkpoint liegt auf einem anderen Rechner, der nicht gefragt werden kann: %1</translation>
    </message>
    <message>
        <source>whether the run still goes on there is %1</source>
        <translation>ob der Lauf dort noch im Gange ist: %1</translation>
    </message>
    <message>
        <source>--assume-gone when that machine is switched off for good</source>
        <translation>--assume-gone, wenn jener Rechner endgültig ausgeschaltet ist</translation>
    </message>
    <message>
        <source>the events over there do not arrive: %1</source>
        <translation>die Ereignisse von dort kommen nicht an: %1</translation>
    </message>
    <message>
        <source>check the connection, or --assume-gone to go on with what is here</source>
        <translation>die Verbindung prüfen, oder --assume-gone, um mit dem weiterzumachen, was hier ist</translation>
    </message>
    <message>
        <source>cannot leave word for the run: %1</source>
        <translation>dem Lauf lässt sich nichts ausrichten: %1</translation>
    </message>
    <message>
        <source>the configuration has no file yet</source>
        <translation>die Konfiguration hat noch keine Datei</translation>
    </message>
    <message>
        <source>save it under a name</source>
        <translation>unter einem Namen sichern</translation>
    </message>
    <message>
        <source>%1 is written in a way that cannot be edited here</source>
        <translation>%1 ist so geschrieben, dass es sich hier nicht bearbeiten lässt</translation>
    </message>
    <message>
        <source>edit the file by hand</source>
        <translation>die Datei von Hand bearbeiten</translation>
    </message>
    <message>
        <source>%1 gave no answer within 5 s</source>
        <translation>%1 gab innerhalb von 5 s keine Antwort</translation>
    </message>
    <message>
        <source>%1 hung up</source>
        <translation>%1 hat aufgelegt</translation>
    </message>
    <message>
        <source>out of memory</source>
        <translation>kein Speicher mehr</translation>
    </message>
    <message>
        <source>job %1 is running</source>
        <translation>Auftrag %1 läuft</translation>
    </message>
    <message>
        <source>job %1 does not wait: it is %2</source>
        <translation>Auftrag %1 wartet nicht: er ist %2</translation>
    </message>
    <message>
        <source>job %1 is %2</source>
        <translation>Auftrag %1 ist %2</translation>
    </message>
    <message>
        <source>job %1 writes into this folder</source>
        <translation>Auftrag %1 schreibt in diesen Ordner</translation>
    </message>
    <message>
        <source>give this one another output_dir</source>
        <translation>diesem ein anderes output_dir geben</translation>
    </message>
    <message>
        <source>there is no job %1</source>
        <translation>es gibt keinen Auftrag %1</translation>
    </message>
    <message>
        <source>process %1 works on this queue</source>
        <translation>Prozess %1 arbeitet an dieser Warteschlange</translation>
    </message>
    <message>
        <source>process %1 is busy with a start and works on</source>
        <translation>Prozess %1 startet gerade etwas und arbeitet weiter</translation>
    </message>
    <message>
        <source>look again in a minute: it ends when that is done</source>
        <translation>in einer Minute noch einmal nachsehen: er endet, wenn das getan ist</translation>
    </message>
    <message>
        <source>the queue&apos;s worker answers something else</source>
        <translation>der Arbeiter der Warteschlange antwortet etwas anderes</translation>
    </message>
    <message>
        <source>is no queue: %1</source>
        <translation>ist keine Warteschlange: %1</translation>
    </message>
    <message>
        <source>move the file away to start afresh</source>
        <translation>die Datei wegschieben, um neu anzufangen</translation>
    </message>
    <message>
        <source>there is no such data</source>
        <translation>diese Daten gibt es nicht</translation>
    </message>
    <message>
        <source>no such file or folder</source>
        <translation>keine solche Datei und kein solcher Ordner</translation>
    </message>
    <message>
        <source>check the path</source>
        <translation>den Pfad prüfen</translation>
    </message>
    <message>
        <source>no data source is given</source>
        <translation>es ist keine Datenquelle angegeben</translation>
    </message>
    <message>
        <source>Waymo data needs one acknowledgement of its licence: --accept-waymo-license, or ROADTUNE_ACCEPT_WAYMO_LICENSE=1, or an earlier one</source>
        <translation>Waymo-Daten brauchen einmal die Zustimmung zu ihrer Lizenz: --accept-waymo-license, oder ROADTUNE_ACCEPT_WAYMO_LICENSE=1, oder eine frühere</translation>
    </message>
    <message>
        <source>another import is writing here</source>
        <translation>ein anderer Import schreibt gerade hierhin</translation>
    </message>
    <message>
        <source>wait for it to end</source>
        <translation>sein Ende abwarten</translation>
    </message>
    <message>
        <source>is not an index</source>
        <translation>ist kein Index</translation>
    </message>
    <message>
        <source>make one with `roadtune data index SRC --out DIR`</source>
        <translation>einen anlegen mit `roadtune data index SRC --out DIR`</translation>
    </message>
    <message>
        <source>damaged index file: %1</source>
        <translation>beschädigte Indexdatei: %1</translation>
    </message>
    <message>
        <source>damaged catalogue: %1</source>
        <translation>beschädigtes Verzeichnis: %1</translation>
    </message>
    <message>
        <source>an image names no source</source>
        <translation>ein Bild nennt keine Quelle</translation>
    </message>
    <message>
        <source>its columns do not belong together</source>
        <translation>ihre Spalten gehören nicht zusammen</translation>
    </message>
    <message>
        <source>run `roadtune data index` again on the same sources</source>
        <translation>`roadtune data index` auf denselben Quellen noch einmal laufen lassen</translation>
    </message>
    <message>
        <source>run `roadtune data index` again into a fresh folder</source>
        <translation>`roadtune data index` noch einmal in einen neuen Ordner laufen lassen</translation>
    </message>
    <message>
        <source>written by another version of the program</source>
        <translation>von einer anderen Version des Programms geschrieben</translation>
    </message>
    <message>
        <source>written by another version of the program (layout %1)</source>
        <translation>von einer anderen Version des Programms geschrieben (Aufbau %1)</translation>
    </message>
    <message>
        <source>was written by a later version of this program</source>
        <translation>wurde von einer neueren Version dieses Programms geschrieben</translation>
    </message>
    <message>
        <source>use that version</source>
        <translation>jene Version verwenden</translation>
    </message>
    <message>
        <source>changed since it was imported</source>
        <translation>wurde seit dem Import geändert</translation>
    </message>
    <message>
        <source>run `roadtune data index` on it again with the same --out</source>
        <translation>`roadtune data index` darauf noch einmal mit demselben --out laufen lassen</translation>
    </message>
    <message>
        <source>is no longer where it was imported from</source>
        <translation>liegt nicht mehr, wo es importiert wurde</translation>
    </message>
    <message>
        <source>put it back, or run `roadtune data index` on its new place with the same --out</source>
        <translation>zurücklegen, oder `roadtune data index` am neuen Ort mit demselben --out laufen lassen</translation>
    </message>
    <message>
        <source>the index has no class &apos;%1&apos;</source>
        <translation>der Index hat keine Klasse „%1“</translation>
    </message>
    <message>
        <source>holds no line with an image and a text</source>
        <translation>enthält keine Zeile mit Bild und Text</translation>
    </message>
    <message>
        <source>holds no line</source>
        <translation>enthält keine Zeile</translation>
    </message>
    <message>
        <source>holds no readable frame</source>
        <translation>enthält kein lesbares Einzelbild</translation>
    </message>
    <message>
        <source>the file is empty</source>
        <translation>die Datei ist leer</translation>
    </message>
    <message>
        <source>is not a regular file</source>
        <translation>ist keine gewöhnliche Datei</translation>
    </message>
    <message>
        <source>is not valid JSON</source>
        <translation>ist kein gültiges JSON</translation>
    </message>
    <message>
        <source>the line is not a JSON object</source>
        <translation>die Zeile ist kein JSON-Objekt</translation>
    </message>
    <message>
        <source>picture %1 was not found</source>
        <translation>Bild %1 wurde nicht gefunden</translation>
    </message>
    <message>
        <source>paths are relative to the JSONL file</source>
        <translation>Pfade gelten ab der JSONL-Datei</translation>
    </message>
    <message>
        <source>no picture of &apos;%1&apos; was found</source>
        <translation>kein Bild von „%1“ wurde gefunden</translation>
    </message>
    <message>
        <source>names no classes or no pictures</source>
        <translation>nennt keine Klassen oder keine Bilder</translation>
    </message>
    <message>
        <source>a data.yaml has names, train and val</source>
        <translation>ein data.yaml hat names, train und val</translation>
    </message>
    <message>
        <source>a query needs an index; this is a JSONL file</source>
        <translation>eine Abfrage braucht einen Index; dies ist eine JSONL-Datei</translation>
    </message>
    <message>
        <source>import it with `roadtune data index`, or remove the query</source>
        <translation>sie mit `roadtune data index` importieren oder die Abfrage entfernen</translation>
    </message>
    <message>
        <source>has none of the classes to detect</source>
        <translation>hat keine der Klassen, die erkannt werden sollen</translation>
    </message>
    <message>
        <source>the training data has one segment only: nothing can be held out without tearing it apart</source>
        <translation>die Trainingsdaten haben nur ein Segment: es lässt sich nichts zurückhalten, ohne es zu zerreißen</translation>
    </message>
    <message>
        <source>none of the training data has the class &apos;%1&apos;: it is left out</source>
        <translation>keine der Trainingsdaten haben die Klasse „%1“: sie wird weggelassen</translation>
    </message>
    <message>
        <source>write it as the data does, or remove it</source>
        <translation>wie die Daten schreiben oder entfernen</translation>
    </message>
    <message>
        <source>name eval_data, or add data</source>
        <translation>eval_data nennen oder Daten hinzufügen</translation>
    </message>
    <message>
        <source>the training set is empty</source>
        <translation>die Trainingsmenge ist leer</translation>
    </message>
    <message>
        <source>must be imported first; `roadtune train` does it when it starts a run</source>
        <translation>muss zuerst importiert werden; `roadtune train` tut das, wenn es einen Lauf startet</translation>
    </message>
    <message>
        <source>is neither an index, a JSONL file nor a COCO file</source>
        <translation>ist weder ein Index noch eine JSONL- noch eine COCO-Datei</translation>
    </message>
    <message>
        <source>run `roadtune data index %1 --out DIR` and name DIR</source>
        <translation>`roadtune data index %1 --out DIR` laufen lassen und DIR nennen</translation>
    </message>
    <message>
        <source>was not fetched; `roadtune train` does it when it starts a run</source>
        <translation>wurde nicht geholt; `roadtune train` tut das, wenn es einen Lauf startet</translation>
    </message>
    <message>
        <source>`roadtune data fetch %1`, and name the folder that it prints</source>
        <translation>`roadtune data fetch %1`, und den Ordner nennen, den es ausgibt</translation>
    </message>
    <message>
        <source>holds an index</source>
        <translation>enthält einen Index</translation>
    </message>
    <message>
        <source>choose another --out</source>
        <translation>ein anderes --out wählen</translation>
    </message>
    <message>
        <source>no such folder, or nothing of a model in it</source>
        <translation>diesen Ordner gibt es nicht, oder es liegt nichts von einem Modell darin</translation>
    </message>
    <message>
        <source>name the folder that holds config.json</source>
        <translation>den Ordner nennen, in dem config.json liegt</translation>
    </message>
    <message>
        <source>rank %1 for %2</source>
        <translation>Rang %1 für %2</translation>
    </message>
    <message>
        <source>a rank is at least 1</source>
        <translation>ein Rang ist mindestens 1</translation>
    </message>
    <message>
        <source>orthogonal first values need an even rank, %1 has %2</source>
        <translation>orthogonale Anfangswerte brauchen einen geraden Rang, %1 hat %2</translation>
    </message>
    <message>
        <source>an even r, or init_lora_weights: true</source>
        <translation>ein gerades r, oder init_lora_weights: true</translation>
    </message>
    <message>
        <source>%1 is an embedding and cannot have one</source>
        <translation>%1 ist eine Einbettung und kann keine haben</translation>
    </message>
    <message>
        <source>is empty</source>
        <translation>ist leer</translation>
    </message>
    <message>
        <source>PaliGemma has no default; the usual list is %1</source>
        <translation>PaliGemma hat keine Vorgabe; üblich ist die Liste %1</translation>
    </message>
    <message>
        <source>matches %1, which is not a layer that can carry LoRA</source>
        <translation>trifft %1; das ist keine Schicht, die LoRA tragen kann</translation>
    </message>
    <message>
        <source>name linear layers, or use a pattern that ends in their names</source>
        <translation>lineare Schichten nennen, oder ein Muster, das auf ihre Namen endet</translation>
    </message>
    <message>
        <source>norms cannot; list them in modules_to_save to train them</source>
        <translation>Normen können das nicht; um sie zu trainieren, in modules_to_save nennen</translation>
    </message>
    <message>
        <source>everything it names is excluded</source>
        <translation>alles, was es nennt, ist ausgeschlossen</translation>
    </message>
    <message>
        <source>there is no such folder of pictures</source>
        <translation>es gibt keinen solchen Ordner mit Bildern</translation>
    </message>
    <message>
        <source>none of the modules that target_modules names is in these layers</source>
        <translation>keines der Module, die target_modules nennt, liegt in diesen Schichten</translation>
    </message>
    <message>
        <source>they count from 0</source>
        <translation>sie zählen von 0 an</translation>
    </message>
    <message>
        <source>matches no module of this model</source>
        <translation>trifft kein Modul dieses Modells</translation>
    </message>
    <message>
        <source>%1 matches no module</source>
        <translation>%1 trifft kein Modul</translation>
    </message>
    <message>
        <source>`roadtune model tree` lists the names</source>
        <translation>`roadtune model tree` zählt die Namen auf</translation>
    </message>
    <message>
        <source>&apos;%1&apos; names no module of this model</source>
        <translation>„%1“ nennt kein Modul dieses Modells</translation>
    </message>
    <message>
        <source>lm_head has no weights of its own that could have a dtype</source>
        <translation>lm_head hat keine eigenen Gewichte, die einen dtype haben könnten</translation>
    </message>
    <message>
        <source>lm_head has no weights of its own that could be trained or frozen</source>
        <translation>lm_head hat keine eigenen Gewichte, die trainiert oder eingefroren werden könnten</translation>
    </message>
    <message>
        <source>an adapter on %1 is not supported</source>
        <translation>ein Adapter auf %1 wird nicht unterstützt</translation>
    </message>
    <message>
        <source>adapters go on linear layers; list embeddings under modules_to_save</source>
        <translation>Adapter gehören auf lineare Schichten; Einbettungen stehen unter modules_to_save</translation>
    </message>
    <message>
        <source>it shares those of embed_tokens: name that instead</source>
        <translation>es teilt die von embed_tokens: stattdessen dieses nennen</translation>
    </message>
    <message>
        <source>&apos;%1&apos; holds no layer that can carry LoRA</source>
        <translation>„%1“ enthält keine Schicht, die LoRA tragen kann</translation>
    </message>
    <message>
        <source>every part is frozen: nothing would be trained</source>
        <translation>alle Teile sind eingefroren: nichts würde trainiert</translation>
    </message>
    <message>
        <source>set one of freeze_vision_tower, freeze_multi_modal_projector, freeze_language_model to false</source>
        <translation>freeze_vision_tower, freeze_multi_modal_projector oder freeze_language_model auf false setzen</translation>
    </message>
    <message>
        <source>cannot be combined with a target_modules pattern or all-linear</source>
        <translation>verträgt sich nicht mit einem Muster in target_modules oder all-linear</translation>
    </message>
    <message>
        <source>give target_modules as a list, or put the layer numbers into the pattern</source>
        <translation>target_modules als Liste angeben, oder die Schichtnummern in das Muster schreiben</translation>
    </message>
    <message>
        <source>needs layers_to_transform</source>
        <translation>braucht layers_to_transform</translation>
    </message>
    <message>
        <source>is not one of %1</source>
        <translation>ist keines von %1</translation>
    </message>
    <message>
        <source>%1 (try: %2)</source>
        <translation>%1 (Vorschlag: %2)</translation>
    </message>
    <message>
        <source>a machine runs at least one process</source>
        <translation>auf einem Rechner läuft mindestens ein Prozess</translation>
    </message>
    <message>
        <source>the bytes of the picture do not match their checksum</source>
        <translation>die Bytes des Bildes passen nicht zu ihrer Prüfsumme</translation>
    </message>
    <message>
        <source>copy the pack again, or make it again with `roadtune data pack`</source>
        <translation>das Paket noch einmal kopieren, oder mit `roadtune data pack` neu anlegen</translation>
    </message>
    <message>
        <source>the image was not in the source</source>
        <translation>das Bild war nicht in der Quelle</translation>
    </message>
    <message>
        <source>the weight of a source must lie above 0 and not above 1000</source>
        <translation>das Gewicht einer Quelle muss über 0 und nicht über 1000 liegen</translation>
    </message>
    <message>
        <source>its agent is gone, but not %1</source>
        <translation>sein Agent ist fort, aber nicht %1</translation>
    </message>
    <message>
        <source>set classes to some of its own: %1</source>
        <translation>classes auf einige seiner eigenen setzen: %1</translation>
    </message>
    <message>
        <source>none of its pictures was found when it was read</source>
        <translation>keins seiner Bilder wurde beim Einlesen gefunden</translation>
    </message>
    <message>
        <source>name their folder: `images` beside the path, or `--images`</source>
        <translation>ihren Ordner nennen: `images` neben dem Pfad, oder `--images`</translation>
    </message>
    <message>
        <source>torch %1 is not on this machine and cannot be installed: %2; nor can it be copied from here: %3</source>
        <translation>torch %1 fehlt auf diesem Rechner und lässt sich nicht installieren: %2; es lässt sich auch nicht von hier kopieren: %3</translation>
    </message>
    <message>
        <source>there is no pip</source>
        <translation>es gibt kein pip</translation>
    </message>
    <message>
        <source>its pip finds no torch %1, or no index at all</source>
        <translation>sein pip findet kein torch %1 oder gar keinen Paketindex</translation>
    </message>
    <message>
        <source>the disk is too small for torch %1: %2 are to come, %3 are free there</source>
        <translation>die Platte ist zu klein für torch %1: %2 kommen noch, dort sind %3 frei</translation>
    </message>
    <message>
        <source>libraries of torch are missing here</source>
        <translation>hier fehlen Bibliotheken von torch</translation>
    </message>
    <message>
        <source>torch here is not %1</source>
        <translation>torch hier ist nicht %1</translation>
    </message>
    <message>
        <source>its processor is of another kind: %1; our programs are for %2</source>
        <translation>sein Prozessor ist von anderer Art: %1; unsere Programme sind für %2</translation>
    </message>
    <message>
        <source>pip does not end</source>
        <translation>pip endet nicht</translation>
    </message>
    <message>
        <source>the GPU half of torch is not here</source>
        <translation>die GPU-Hälfte von torch ist nicht hier</translation>
    </message>
    <message>
        <source>another program is starting this run</source>
        <translation>ein anderes Programm startet diesen Lauf gerade</translation>
    </message>
    <message>
        <source>another program is still starting this run</source>
        <translation>ein anderes Programm startet diesen Lauf noch</translation>
    </message>
    <message>
        <source>something of the run lives there and does not say what it is: %1</source>
        <translation>etwas von dem Lauf lebt dort und sagt nicht, was es ist: %1</translation>
    </message>
    <message>
        <source>try again in a moment</source>
        <translation>gleich noch einmal versuchen</translation>
    </message>
    <message>
        <source>its start was cut before anything ran</source>
        <translation>sein Start brach ab, bevor etwas lief</translation>
    </message>
    <message>
        <source>its start was cut before anything ran on %1, and the others wait for that</source>
        <translation>sein Start brach ab, bevor auf %1 etwas lief, und die anderen warten darauf</translation>
    </message>
    <message>
        <source>roadtune resume %1, or start it again</source>
        <translation>roadtune resume %1, oder ihn neu starten</translation>
    </message>
    <message>
        <source>roadtune stop %1 --now, then start or resume it again</source>
        <translation>roadtune stop %1 --now, dann neu starten oder fortsetzen</translation>
    </message>
    <message>
        <source>%1 is stored in 4 bits and cannot be trained in full</source>
        <translation>%1 ist in 4 Bit gespeichert und kann nicht voll trainiert werden</translation>
    </message>
    <message>
        <source>finetuning_type: lora, or a model in 16 bits</source>
        <translation>finetuning_type: lora, oder ein Modell in 16 Bit</translation>
    </message>
    <message>
        <source>another program is starting a run in this folder</source>
        <translation>ein anderes Programm startet gerade einen Lauf in diesem Ordner</translation>
    </message>
    <message>
        <source>an index among its recordings would hide them</source>
        <translation>ein Index mitten in seinen Aufnahmen würde sie verdecken</translation>
    </message>
    <message>
        <source>another folder for the index</source>
        <translation>ein anderer Ordner für den Index</translation>
    </message>
    <message>
        <source>is a file that the index was made from</source>
        <translation>ist eine Datei, aus der der Index entstand</translation>
    </message>
    <message>
        <source>the answer holds %1, which stands for a picture</source>
        <translation>die Antwort enthält %1, was für ein Bild steht</translation>
    </message>
    <message>
        <source>leave it out</source>
        <translation>weglassen</translation>
    </message>
    <message>
        <source>holds no line with an image and a text: %1</source>
        <translation>enthält keine Zeile mit Bild und Text: %1</translation>
    </message>
    <message>
        <source>checkpoint-%1 is damaged (%2): it is passed over, and kept as %3</source>
        <translation>checkpoint-%1 ist beschädigt (%2): er wird übergangen und als %3 aufgehoben</translation>
    </message>
    <message>
        <source>there is no complete checkpoint to continue from: %1</source>
        <translation>es gibt keinen vollständigen Checkpoint, von dem es weitergehen könnte: %1</translation>
    </message>
    <message>
        <source>compare the fingerprint with the machine&apos;s own (ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub), then trust it (--trust-host-key)</source>
        <translation>den Fingerabdruck mit dem des Rechners vergleichen (ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub), dann vertrauen (--trust-host-key)</translation>
    </message>
    <message>
        <source>ProxyJump leads in a circle: %1 → %2</source>
        <translation>ProxyJump führt im Kreis: %1 → %2</translation>
    </message>
    <message>
        <source>write &apos;ProxyJump none&apos; under &apos;Host %1&apos; in ssh_config</source>
        <translation>in ssh_config unter „Host %1“ „ProxyJump none“ schreiben</translation>
    </message>
    <message>
        <source>on the way, at the jump host %1: %2</source>
        <translation>unterwegs, am Sprungrechner %1: %2</translation>
    </message>
    <message>
        <source>the login shell there does not run commands: %1</source>
        <translation>die Login-Shell dort führt keine Befehle aus: %1</translation>
    </message>
    <message>
        <source>log in there by hand and try: sh -c true</source>
        <translation>sich dort von Hand anmelden und versuchen: sh -c true</translation>
    </message>
    <message>
        <source>unknown key &apos;%1&apos;</source>
        <translation>unbekannter Schlüssel „%1“</translation>
    </message>
    <message>
        <source>what may stand here: %1</source>
        <translation>was hier stehen darf: %1</translation>
    </message>
    <message>
        <source>%1 stands here twice</source>
        <translation>%1 steht hier zweimal</translation>
    </message>
    <message>
        <source>keep one of them</source>
        <translation>eines davon behalten</translation>
    </message>
    <message>
        <source>no sample of the evaluation data can be used</source>
        <translation>kein Beispiel der Auswertungsdaten ist brauchbar</translation>
    </message>
    <message>
        <source>no sample of the evaluation data can be used; the first: %1</source>
        <translation>kein Beispiel der Auswertungsdaten ist brauchbar; das erste: %1</translation>
    </message>
    <message>
        <source>has no suffix to learn</source>
        <translation>hat kein suffix zum Lernen</translation>
    </message>
    <message>
        <source>the model has no place for %1 of its files, such as %2: what is written will lack %3</source>
        <translation>das Modell hat keinen Platz für %1 seiner Dateien, etwa %2: was geschrieben wird, hat %3 nicht mehr</translation>
    </message>
    <message>
        <source>does config.json say how many layers there are?</source>
        <translation>sagt config.json, wie viele Schichten es sind?</translation>
    </message>
    <message>
        <source>is a file of the index itself</source>
        <translation>ist eine Datei des Index selbst</translation>
    </message>
    <message>
        <source>none of its pictures can be read</source>
        <translation>keines seiner Bilder ist lesbar</translation>
    </message>
    <message>
        <source>its samples have no suffix: there is nothing to learn</source>
        <translation>seine Beispiele haben kein suffix: es gibt nichts zu lernen</translation>
    </message>
    <message>
        <source>%1 of %2 samples cannot be used; the first: %3</source>
        <translation>%1 von %2 Beispielen sind nicht zu gebrauchen; das erste: %3</translation>
    </message>
    <message>
        <source>%1 of %2 answers hold words for a place that are no box, and would be learnt; the first: %3</source>
        <translation>%1 von %2 Antworten enthalten Wörter für einen Ort, die keine Box ergeben und gelernt würden; die erste: %3</translation>
    </message>
    <message>
        <source>a box is four words from &lt;loc0000&gt; to &lt;loc1023&gt;, and a name</source>
        <translation>eine Box sind vier Wörter von &lt;loc0000&gt; bis &lt;loc1023&gt; und ein Name</translation>
    </message>
    <message>
        <source>no sample fits: the shortest prompt needs %1 tokens with the picture&apos;s %2 and something to learn</source>
        <translation>kein Beispiel passt: die kürzeste Frage braucht %1 Token mit den %2 des Bildes und etwas zu lernen</translation>
    </message>
    <message>
        <source>the prompt alone is longer in %1 of %2 samples, which cannot be used</source>
        <translation>in %1 von %2 Beispielen ist schon die Frage länger; sie sind nicht zu gebrauchen</translation>
    </message>
    <message>
        <source>%1 of %2 samples are longer and are left out; the longest takes %3 tokens</source>
        <translation>%1 von %2 Beispielen sind länger und werden ausgelassen; das längste braucht %3 Token</translation>
    </message>
    <message>
        <source>%1 of %2 samples are longer, and the first of them stops the run; the longest takes %3 tokens</source>
        <translation>%1 von %2 Beispielen sind länger, und das erste davon beendet den Lauf; das längste braucht %3 Token</translation>
    </message>
    <message>
        <source>%1 of %2 samples are longer and lose the end of their answer; the longest takes %3 tokens</source>
        <translation>%1 von %2 Beispielen sind länger und verlieren das Ende ihrer Antwort; das längste braucht %3 Token</translation>
    </message>
    <message>
        <source>mend them; a step that holds no other sample learns nothing</source>
        <translation>sie berichtigen; ein Schritt, der kein anderes Beispiel hat, lernt nichts</translation>
    </message>
    <message>
        <source>an empty suffix is an answer, too</source>
        <translation>auch ein leeres suffix ist eine Antwort</translation>
    </message>
    <message>
        <source>%1 samples make no full batch of %2 for each of %3 ranks</source>
        <translation>%1 Beispiele ergeben nicht einen vollen Stapel von %2 für jeden von %3 Rängen</translation>
    </message>
    <message>
        <source>a smaller per_device_train_batch_size, or dataloader_drop_last: false</source>
        <translation>ein kleineres per_device_train_batch_size, oder dataloader_drop_last: false</translation>
    </message>
    <message>
        <source>%1 of its samples are of the %2 split: what is trained on them cannot be compared on that split any more</source>
        <translation>%1 seiner Beispiele gehören zum Split %2: was darauf trainiert wird, lässt sich auf diesem Split nicht mehr vergleichen</translation>
    </message>
    <message>
        <source>%1 of its %2 samples are of recordings or pictures that are trained on, such as %3: the evaluation says little about new data</source>
        <translation>%1 seiner %2 Beispiele stammen aus Aufnahmen oder Bildern, mit denen auch trainiert wird, etwa %3: die Auswertung sagt wenig über neue Daten</translation>
    </message>
    <message>
        <source>train_query: split=training with eval_query: split=validation, other data, or eval_fraction in place of eval_data</source>
        <translation>train_query: split=training mit eval_query: split=validation, andere Daten oder eval_fraction anstelle von eval_data</translation>
    </message>
    <message>
        <source>the agent of this run was killed; the run saved and ended</source>
        <translation>der Agent dieses Laufs wurde beendet; der Lauf hat gespeichert und ist zu Ende</translation>
    </message>
    <message>
        <source>the agent was killed, and what watches over it as well; its ranks have ended</source>
        <translation>der Agent wurde beendet, und was auf ihn aufpasst, auch; seine Prozesse sind zu Ende</translation>
    </message>
    <message>
        <source>the agent was killed, and what watches over it as well; its ranks save and end by themselves</source>
        <translation>der Agent wurde beendet, und was auf ihn aufpasst, auch; seine Prozesse speichern und enden von selbst</translation>
    </message>
    <message>
        <source>the machine was restarted, and the agent is gone without a word</source>
        <translation>der Rechner wurde neu gestartet, und der Agent ist ohne ein Wort verschwunden</translation>
    </message>
    <message>
        <source>the disk of the run was full, and how it ended could not be written</source>
        <translation>das Laufwerk des Laufs war voll, und wie er endete, ließ sich nicht aufschreiben</translation>
    </message>
    <message>
        <source>the agent was ended from outside (%1); its ranks were told to save and stop, and no process is left</source>
        <translation>der Agent wurde von außen beendet (%1); seine Prozesse sollten speichern und enden, und keiner ist übrig</translation>
    </message>
    <message>
        <source>the agent was ended from outside (%1); some of its processes hang in the kernel and could not be ended</source>
        <translation>der Agent wurde von außen beendet (%1); einige seiner Prozesse hängen im Kernel und ließen sich nicht beenden</translation>
    </message>
    <message>
        <source>a run goes on in this folder, as far as is known here, on %1</source>
        <translation>in diesem Ordner läuft ein Lauf, soweit hier bekannt, auf %1</translation>
    </message>
    <message>
        <source>%1, %2, or another output_dir</source>
        <translation>%1, %2, oder ein anderes output_dir</translation>
    </message>
    <message>
        <source>another machine does not answer any more, for %1 s now</source>
        <translation>ein anderer Rechner antwortet nicht mehr, seit %1 s</translation>
    </message>
    <message>
        <source>look whether it is on; roadtune fleet check tries the network; peer_timeout is how long is waited</source>
        <translation>nachsehen, ob er an ist; roadtune fleet check prüft das Netz; peer_timeout sagt, wie lange gewartet wird</translation>
    </message>
    <message>
        <source>there are no values to vary</source>
        <translation>es gibt keine Werte zum Variieren</translation>
    </message>
    <message>
        <source>a value is missing between two commas</source>
        <translation>zwischen zwei Kommas fehlt ein Wert</translation>
    </message>
    <message>
        <source>is varied twice</source>
        <translation>wird zweimal variiert</translation>
    </message>
    <message>
        <source>name all its values at once: %1</source>
        <translation>alle seine Werte auf einmal nennen: %1</translation>
    </message>
    <message>
        <source>these are more than %1 runs</source>
        <translation>das sind mehr als %1 Läufe</translation>
    </message>
    <message>
        <source>vary less at a time</source>
        <translation>weniger auf einmal variieren</translation>
    </message>
    <message>
        <source>the adapter to start from has rank %1 on %2</source>
        <translation>der Adapter, mit dem begonnen wird, hat auf %2 den Rang %1</translation>
    </message>
    <message>
        <source>the adapter to start from has nothing on %1</source>
        <translation>der Adapter, mit dem begonnen wird, hat nichts auf %1</translation>
    </message>
    <message>
        <source>keep the adapter as it is there, or begin without adapter_name_or_path</source>
        <translation>lass den Adapter, wie er ist, oder beginne ohne adapter_name_or_path</translation>
    </message>
    <message>
        <source>remove %1 and run `roadtune data index` again on its sources</source>
        <translation>lösche %1 und lass `roadtune data index` noch einmal über die Quellen laufen</translation>
    </message>
    <message>
        <source>Waymo data needs one acknowledgement of its licence</source>
        <translation>Waymo-Daten brauchen einmal die Zustimmung zu ihrer Lizenz</translation>
    </message>
    <message>
        <source>the training data holds no sample</source>
        <translation>die Trainingsdaten haben kein Beispiel</translation>
    </message>
    <message>
        <source>the evaluation data holds no sample</source>
        <translation>die Auswertungsdaten haben kein Beispiel</translation>
    </message>
    <message>
        <source>the %1 data holds no sample</source>
        <translation>die %1-Daten haben kein Beispiel</translation>
    </message>
    <message>
        <source>%1 that answers &apos;%2&apos;</source>
        <translation>%1 zu „%2“</translation>
    </message>
    <message>
        <source>loosen the query, or name another source</source>
        <translation>lockere die Abfrage, oder nenne eine andere Quelle</translation>
    </message>
    <message>
        <source>import it once on the Data page, which asks for it</source>
        <translation>importiere sie einmal auf der Seite Daten, die danach fragt</translation>
    </message>
    <message>
        <source>cannot be read by ranks on other machines as it is</source>
        <translation>kann von Prozessen auf anderen Rechnern so nicht gelesen werden</translation>
    </message>
    <message>
        <source>run `%1` there, and name DIR</source>
        <translation>dort `%1` laufen lassen und DIR nennen</translation>
    </message>
    <message>
        <source>no usable segment in the sources</source>
        <translation>in den Quellen ist kein brauchbares Segment</translation>
    </message>
</context>
<context>
    <name>Estimate</name>
    <message>
        <source>Choose a model to see its modules here, and to decide what of it is trained.</source>
        <translation>Wähle ein Modell, um hier seine Module zu sehen und zu entscheiden, was davon trainiert wird.</translation>
    </message>
    <message>
        <source>Memory of a graphics card</source>
        <translation>Speicher einer Grafikkarte</translation>
    </message>
    <message>
        <source>Memory of a machine</source>
        <translation>Speicher eines Rechners</translation>
    </message>
    <message>
        <source>Memory of this machine</source>
        <translation>Speicher dieses Rechners</translation>
    </message>
    <message>
        <source>the vision features kept on disk</source>
        <translation>Merkmalen des Bild-Encoders auf der Platte</translation>
    </message>
</context>
<context>
    <name>Export</name>
    <message>
        <source>JSONL</source>
        <translation>JSONL</translation>
    </message>
    <message>
        <source>One line per image with everything the index knows.</source>
        <translation>Eine Zeile je Bild mit allem, was der Index weiß.</translation>
    </message>
    <message>
        <source>COCO</source>
        <translation>COCO</translation>
    </message>
    <message>
        <source>One JSON for pycocotools and most trainers.</source>
        <translation>Ein JSON für pycocotools und die meisten Trainer.</translation>
    </message>
    <message>
        <source>YOLO</source>
        <translation>YOLO</translation>
    </message>
    <message>
        <source>A folder with data.yaml and a text file per image.</source>
        <translation>Ein Ordner mit data.yaml und einer Textdatei je Bild.</translation>
    </message>
    <message>
        <source>KITTI</source>
        <translation>KITTI</translation>
    </message>
    <message>
        <source>A folder with a label file per image.</source>
        <translation>Ein Ordner mit einer Label-Datei je Bild.</translation>
    </message>
    <message>
        <source>Pascal VOC</source>
        <translation>Pascal VOC</translation>
    </message>
    <message>
        <source>A folder with an XML file per image.</source>
        <translation>Ein Ordner mit einer XML-Datei je Bild.</translation>
    </message>
    <message>
        <source>PaliGemma prompts</source>
        <translation>PaliGemma-Prompts</translation>
    </message>
    <message>
        <source>JSONL of prompts and answers with location tokens.</source>
        <translation>JSONL mit Prompts und Antworten aus Orts-Token.</translation>
    </message>
    <message>
        <source>Waymo Objects</source>
        <translation>Waymo Objects</translation>
    </message>
    <message>
        <source>One message for Waymo&apos;s own evaluation tools.</source>
        <translation>Eine Nachricht für Waymos eigene Auswertung.</translation>
    </message>
</context>
<context>
    <name>Field</name>
    <message>
        <source>required</source>
        <translation>nötig</translation>
    </message>
    <message>
        <source>From %1 to %2.</source>
        <translation>Von %1 bis %2.</translation>
    </message>
    <message>
        <source>More than %1.</source>
        <translation>Mehr als %1.</translation>
    </message>
    <message>
        <source>At least %1.</source>
        <translation>Mindestens %1.</translation>
    </message>
    <message>
        <source>At most %1.</source>
        <translation>Höchstens %1.</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Training data</source>
        <translation>Trainingsdaten</translation>
    </message>
    <message>
        <source>Evaluation data</source>
        <translation>Auswertungsdaten</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>Aufgabe</translation>
    </message>
    <message>
        <source>Classes</source>
        <translation>Klassen</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>Methode</translation>
    </message>
    <message>
        <source>Freeze the vision tower</source>
        <translation>Bildturm einfrieren</translation>
    </message>
    <message>
        <source>Freeze the projector</source>
        <translation>Projektor einfrieren</translation>
    </message>
    <message>
        <source>Freeze the language model</source>
        <translation>Sprachmodell einfrieren</translation>
    </message>
    <message>
        <source>LoRA rank (r)</source>
        <translation>LoRA-Rang (r)</translation>
    </message>
    <message>
        <source>LoRA alpha</source>
        <translation>LoRA-Alpha</translation>
    </message>
    <message>
        <source>LoRA dropout</source>
        <translation>LoRA-Dropout</translation>
    </message>
    <message>
        <source>Target modules</source>
        <translation>Zielmodule</translation>
    </message>
    <message>
        <source>Load in 4 bit</source>
        <translation>In 4 Bit laden</translation>
    </message>
    <message>
        <source>Batch per process</source>
        <translation>Batch je Prozess</translation>
    </message>
    <message>
        <source>Accumulated batches</source>
        <translation>Gesammelte Batches</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>Epochen</translation>
    </message>
    <message>
        <source>Steps at most</source>
        <translation>Schritte höchstens</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Startwert (Seed)</translation>
    </message>
    <message>
        <source>Reading threads</source>
        <translation>Lesende Threads</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>Lernrate</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>Optimierer</translation>
    </message>
    <message>
        <source>Weight decay</source>
        <translation>Weight Decay</translation>
    </message>
    <message>
        <source>Gradient clipping</source>
        <translation>Gradienten kappen</translation>
    </message>
    <message>
        <source>Learning rate schedule</source>
        <translation>Verlauf der Lernrate</translation>
    </message>
    <message>
        <source>Warmup steps</source>
        <translation>Aufwärmschritte</translation>
    </message>
    <message>
        <source>bfloat16</source>
        <translation>bfloat16</translation>
    </message>
    <message>
        <source>float16</source>
        <translation>float16</translation>
    </message>
    <message>
        <source>TF32</source>
        <translation>TF32</translation>
    </message>
    <message>
        <source>Gradient checkpointing</source>
        <translation>Gradient Checkpointing</translation>
    </message>
    <message>
        <source>Eval strategy</source>
        <translation>Auswerten</translation>
    </message>
    <message>
        <source>Eval steps</source>
        <translation>Auswerten alle</translation>
    </message>
    <message>
        <source>Evaluation batch per process</source>
        <translation>Auswertungsbatch je Prozess</translation>
    </message>
    <message>
        <source>Folder of the run</source>
        <translation>Ordner des Laufs</translation>
    </message>
    <message>
        <source>Logging steps</source>
        <translation>Protokoll alle</translation>
    </message>
    <message>
        <source>Save strategy</source>
        <translation>Sichern</translation>
    </message>
    <message>
        <source>Save steps</source>
        <translation>Sichern alle</translation>
    </message>
    <message>
        <source>Save total limit</source>
        <translation>Checkpoints behalten</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Processes per machine</source>
        <translation>Prozesse je Rechner</translation>
    </message>
    <message>
        <source>Hosts</source>
        <translation>Rechner</translation>
    </message>
    <message>
        <source>Sharding</source>
        <translation>Aufteilung</translation>
    </message>
    <message>
        <source>Try: %1</source>
        <translation>Versuchen: %1</translation>
    </message>
    <message>
        <source>Modules</source>
        <translation>Module</translation>
    </message>
    <message>
        <source>Excluded modules</source>
        <translation>Ausgenommene Module</translation>
    </message>
    <message>
        <source>Smallest box</source>
        <translation>Kleinste Box</translation>
    </message>
    <message>
        <source>Boxes at most</source>
        <translation>Boxen höchstens</translation>
    </message>
    <message>
        <source>Order of the boxes</source>
        <translation>Reihenfolge der Boxen</translation>
    </message>
    <message>
        <source>Keep empty images</source>
        <translation>Leere Bilder behalten</translation>
    </message>
    <message>
        <source>Greatest length</source>
        <translation>Größte Länge</translation>
    </message>
    <message>
        <source>Share held out</source>
        <translation>Zurückgehaltener Anteil</translation>
    </message>
    <message>
        <source>Evaluation samples at most</source>
        <translation>Beispiele der Auswertung höchstens</translation>
    </message>
    <message>
        <source>4-bit format</source>
        <translation>4-Bit-Format</translation>
    </message>
    <message>
        <source>4-bit compute type</source>
        <translation>4-Bit-Rechentyp</translation>
    </message>
    <message>
        <source>Quantize the 4-bit constants</source>
        <translation>4-Bit-Konstanten quantisieren</translation>
    </message>
    <message>
        <source>Adam beta 2</source>
        <translation>Adam Beta 2</translation>
    </message>
    <message>
        <source>Warm-up share</source>
        <translation>Anteil des Aufwärmens</translation>
    </message>
    <message>
        <source>Learning rate of the vision tower</source>
        <translation>Lernrate des Bildturms</translation>
    </message>
    <message>
        <source>Learning rate of the projector</source>
        <translation>Lernrate des Projektors</translation>
    </message>
    <message>
        <source>Learning rate of the language model</source>
        <translation>Lernrate des Sprachmodells</translation>
    </message>
    <message>
        <source>Keep the best model</source>
        <translation>Das beste Modell behalten</translation>
    </message>
    <message>
        <source>Processor threads</source>
        <translation>Threads des Prozessors</translation>
    </message>
    <message>
        <source>Messages of NCCL</source>
        <translation>Meldungen von NCCL</translation>
    </message>
    <message>
        <source>Port of the processes</source>
        <translation>Port der Prozesse</translation>
    </message>
    <message>
        <source>Query of the training data</source>
        <translation>Abfrage der Trainingsdaten</translation>
    </message>
    <message>
        <source>Query of the evaluation data</source>
        <translation>Abfrage der Auswertungsdaten</translation>
    </message>
    <message>
        <source>Training samples at most</source>
        <translation>Trainingsbeispiele höchstens</translation>
    </message>
    <message>
        <source>Shuffle</source>
        <translation>Mischen</translation>
    </message>
    <message>
        <source>When a sample is bad</source>
        <translation>Bei einem schlechten Beispiel</translation>
    </message>
    <message>
        <source>Divisor of locations</source>
        <translation>Teiler der Orte</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>Prompt</translation>
    </message>
    <message>
        <source>When a sample is too long</source>
        <translation>Bei einem zu langen Beispiel</translation>
    </message>
    <message>
        <source>Image size</source>
        <translation>Bildgröße</translation>
    </message>
    <message>
        <source>Resizing</source>
        <translation>Größenänderung</translation>
    </message>
    <message>
        <source>Augment</source>
        <translation>Bilder verändern</translation>
    </message>
    <message>
        <source>Augment: mirrored</source>
        <translation>Verändern: gespiegelt</translation>
    </message>
    <message>
        <source>Augment: crop</source>
        <translation>Verändern: Ausschnitt</translation>
    </message>
    <message>
        <source>Augment: scale</source>
        <translation>Verändern: Maßstab</translation>
    </message>
    <message>
        <source>Augment: colour</source>
        <translation>Verändern: Farbe</translation>
    </message>
    <message>
        <source>Image cache</source>
        <translation>Bildspeicher</translation>
    </message>
    <message>
        <source>Folder of the image cache</source>
        <translation>Ordner des Bildspeichers</translation>
    </message>
    <message>
        <source>Size of the image cache</source>
        <translation>Größe des Bildspeichers</translation>
    </message>
    <message>
        <source>Probe samples</source>
        <translation>Probebeispiele</translation>
    </message>
    <message>
        <source>Graphics cards</source>
        <translation>Grafikkarten</translation>
    </message>
    <message>
        <source>Fleet file</source>
        <translation>Flottendatei</translation>
    </message>
    <message>
        <source>Shard frozen weights</source>
        <translation>Eingefrorene Gewichte verteilen</translation>
    </message>
    <message>
        <source>Shard again after forward</source>
        <translation>Nach vorwärts wieder verteilen</translation>
    </message>
    <message>
        <source>Restarts at most</source>
        <translation>Neustarts höchstens</translation>
    </message>
    <message>
        <source>A stall takes</source>
        <translation>Ein Stillstand dauert</translation>
    </message>
    <message>
        <source>When the run stalls</source>
        <translation>Bei einem Stillstand</translation>
    </message>
    <message>
        <source>Environment variables</source>
        <translation>Umgebungsvariablen</translation>
    </message>
    <message>
        <source>Address of the processes</source>
        <translation>Adresse der Prozesse</translation>
    </message>
    <message>
        <source>Exchange of gradients</source>
        <translation>Austausch der Gradienten</translation>
    </message>
    <message>
        <source>Longest exchange</source>
        <translation>Längster Austausch</translation>
    </message>
    <message>
        <source>Longest silence of a machine</source>
        <translation>Längstes Schweigen eines Rechners</translation>
    </message>
    <message>
        <source>Gradients sent at a time</source>
        <translation>Gradienten je Sendung</translation>
    </message>
    <message>
        <source>Network of NCCL</source>
        <translation>Netz von NCCL</translation>
    </message>
    <message>
        <source>InfiniBand of NCCL</source>
        <translation>InfiniBand von NCCL</translation>
    </message>
    <message>
        <source>Network of Gloo</source>
        <translation>Netz von Gloo</translation>
    </message>
    <message>
        <source>Layers with adapters</source>
        <translation>Schichten mit Adaptern</translation>
    </message>
    <message>
        <source>Name of the layers</source>
        <translation>Name der Schichten</translation>
    </message>
    <message>
        <source>Rank by module</source>
        <translation>Rang je Modul</translation>
    </message>
    <message>
        <source>Alpha by module</source>
        <translation>Alpha je Modul</translation>
    </message>
    <message>
        <source>Modules trained beside</source>
        <translation>Daneben trainierte Module</translation>
    </message>
    <message>
        <source>Trained biases</source>
        <translation>Trainierte Bias-Werte</translation>
    </message>
    <message>
        <source>Biases in the adapters</source>
        <translation>Bias-Werte in den Adaptern</translation>
    </message>
    <message>
        <source>Scale by the root of the rank</source>
        <translation>Nach der Wurzel des Rangs skalieren</translation>
    </message>
    <message>
        <source>Use DoRA</source>
        <translation>DoRA verwenden</translation>
    </message>
    <message>
        <source>First values of the adapters</source>
        <translation>Anfangswerte der Adapter</translation>
    </message>
    <message>
        <source>Adapters in float32</source>
        <translation>Adapter in float32</translation>
    </message>
    <message>
        <source>Modules left in 16 bits</source>
        <translation>Module, die in 16 Bit bleiben</translation>
    </message>
    <message>
        <source>What is quantised</source>
        <translation>Was quantisiert wird</translation>
    </message>
    <message>
        <source>Tokenizer</source>
        <translation>Tokenizer</translation>
    </message>
    <message>
        <source>Arithmetic as in</source>
        <translation>Gerechnet wie in</translation>
    </message>
    <message>
        <source>First evaluation after</source>
        <translation>Erste Auswertung nach</translation>
    </message>
    <message>
        <source>Evaluate at the start</source>
        <translation>Am Anfang auswerten</translation>
    </message>
    <message>
        <source>Evaluate the loss alone</source>
        <translation>Nur den Verlust auswerten</translation>
    </message>
    <message>
        <source>Tokens of an answer</source>
        <translation>Tokens einer Antwort</translation>
    </message>
    <message>
        <source>The best model by</source>
        <translation>Bestes Modell nach</translation>
    </message>
    <message>
        <source>Greater is better</source>
        <translation>Größer ist besser</translation>
    </message>
    <message>
        <source>Evaluations without gain</source>
        <translation>Auswertungen ohne Gewinn</translation>
    </message>
    <message>
        <source>What counts as a gain</source>
        <translation>Was als Gewinn zählt</translation>
    </message>
    <message>
        <source>Overwrite the folder</source>
        <translation>Ordner überschreiben</translation>
    </message>
    <message>
        <source>Name of the run</source>
        <translation>Name des Laufs</translation>
    </message>
    <message>
        <source>Logging strategy</source>
        <translation>Wann protokolliert wird</translation>
    </message>
    <message>
        <source>Log the first step</source>
        <translation>Ersten Schritt protokollieren</translation>
    </message>
    <message>
        <source>Leave NaN out of the log</source>
        <translation>NaN im Protokoll auslassen</translation>
    </message>
    <message>
        <source>Report to</source>
        <translation>Berichten an</translation>
    </message>
    <message>
        <source>Copy checkpoints to</source>
        <translation>Checkpoints kopieren nach</translation>
    </message>
    <message>
        <source>Save the model alone</source>
        <translation>Nur das Modell speichern</translation>
    </message>
    <message>
        <source>Save as safetensors</source>
        <translation>Als safetensors speichern</translation>
    </message>
    <message>
        <source>Size of a weight file</source>
        <translation>Größe einer Gewichtsdatei</translation>
    </message>
    <message>
        <source>Layout of the adapter</source>
        <translation>Aufbau des Adapters</translation>
    </message>
    <message>
        <source>Go on from a checkpoint</source>
        <translation>Von einem Checkpoint weiter</translation>
    </message>
    <message>
        <source>Record the samples of steps</source>
        <translation>Beispiele der Schritte festhalten</translation>
    </message>
    <message>
        <source>Record losses of samples</source>
        <translation>Verluste der Beispiele festhalten</translation>
    </message>
    <message>
        <source>Seed of the order</source>
        <translation>Startwert der Reihenfolge</translation>
    </message>
    <message>
        <source>Batches read ahead</source>
        <translation>Vorausgelesene Batches</translation>
    </message>
    <message>
        <source>Drop the last batch</source>
        <translation>Letzten Batch weglassen</translation>
    </message>
    <message>
        <source>Pinned memory</source>
        <translation>Fester Speicher</translation>
    </message>
    <message>
        <source>Learning rate of embeddings</source>
        <translation>Lernrate der Einbettungen</translation>
    </message>
    <message>
        <source>Adam beta 1</source>
        <translation>Adam Beta 1</translation>
    </message>
    <message>
        <source>Adam epsilon</source>
        <translation>Adam epsilon</translation>
    </message>
    <message>
        <source>Label smoothing</source>
        <translation>Glättung der Antworten</translation>
    </message>
    <message>
        <source>NEFTune noise</source>
        <translation>Rauschen von NEFTune</translation>
    </message>
    <message>
        <source>Average over all tokens</source>
        <translation>Über alle Tokens mitteln</translation>
    </message>
    <message>
        <source>Averaged weights (EMA)</source>
        <translation>Gemittelte Gewichte (EMA)</translation>
    </message>
    <message>
        <source>Values of the schedule</source>
        <translation>Werte des Lernratenverlaufs</translation>
    </message>
    <message>
        <source>No padding</source>
        <translation>Ohne Auffüllen</translation>
    </message>
    <message>
        <source>Keep vision features</source>
        <translation>Bildmerkmale aufheben</translation>
    </message>
    <message>
        <source>Folder of vision features</source>
        <translation>Ordner der Bildmerkmale</translation>
    </message>
    <message>
        <source>Size of vision features</source>
        <translation>Größe der Bildmerkmale</translation>
    </message>
    <message>
        <source>Full determinism</source>
        <translation>Völlig wiederholbar</translation>
    </message>
    <message>
        <source>When a number is not finite</source>
        <translation>Wenn eine Zahl nicht endlich ist</translation>
    </message>
    <message>
        <source>Such steps in a row</source>
        <translation>Solche Schritte in Folge</translation>
    </message>
    <message>
        <source>When the loss runs away</source>
        <translation>Wenn der Verlust davonläuft</translation>
    </message>
    <message>
        <source>Ratio of a runaway loss</source>
        <translation>Verhältnis des Davonlaufens</translation>
    </message>
    <message>
        <source>Prove what was updated</source>
        <translation>Nachweisen, was sich änderte</translation>
    </message>
    <message>
        <source>Type of the weights</source>
        <translation>Typ der Gewichte</translation>
    </message>
    <message>
        <source>Mean of the loss</source>
        <translation>Mittel des Verlusts</translation>
    </message>
    <message>
        <source>Start from adapter</source>
        <translation>Mit Adapter beginnen</translation>
    </message>
    <message>
        <source>LoRA+ ratio of rates</source>
        <translation>LoRA+: Verhältnis der Raten</translation>
    </message>
    <message>
        <source>Weights in bfloat16 alone</source>
        <translation>Gewichte nur in bfloat16</translation>
    </message>
    <message>
        <source>Blocks computed again</source>
        <translation>Neu berechnete Blöcke</translation>
    </message>
    <message>
        <source>Choose a model folder</source>
        <translation>Wähle einen Modellordner</translation>
    </message>
    <message>
        <source>Choose training data</source>
        <translation>Wähle Trainingsdaten</translation>
    </message>
    <message>
        <source>Choose a folder for the run</source>
        <translation>Wähle einen Ordner für den Lauf</translation>
    </message>
    <message>
        <source>Choose: %1</source>
        <translation>Noch zu wählen: %1</translation>
    </message>
</context>
<context>
    <name>Fit</name>
    <message>
        <source>batch %1 × %2 accumulated</source>
        <translation>Batch %1 × %2 gesammelt</translation>
    </message>
    <message>
        <source>gradient checkpointing</source>
        <translation>Gradient Checkpointing</translation>
    </message>
    <message>
        <source>weights and optimizer shared among the processes</source>
        <translation>Gewichten und Optimierer, die auf die Prozesse verteilt sind</translation>
    </message>
    <message>
        <source>the optimizer&apos;s moments in 8 bits</source>
        <translation>Momenten des Optimierers in 8 Bit</translation>
    </message>
    <message>
        <source>trained weights in bfloat16 alone</source>
        <translation>trainierte Gewichte nur in bfloat16</translation>
    </message>
    <message>
        <source>gradient checkpointing of %1 of %2 blocks</source>
        <translation>Gradient Checkpointing von %1 der %2 Blöcke</translation>
    </message>
    <message>
        <source>no block has to be computed again</source>
        <translation>kein Block muss neu berechnet werden</translation>
    </message>
    <message>
        <source>%1 of %2 blocks computed again are enough</source>
        <translation>%1 von %2 neu berechneten Blöcken genügen</translation>
    </message>
</context>
<context>
    <name>GuideWindow</name>
    <message>
        <source>Contents</source>
        <translation>Inhalt</translation>
    </message>
</context>
<context>
    <name>Job</name>
    <message>
        <source>%1: %2 of %3%4</source>
        <translation>%1: %2 von %3%4</translation>
    </message>
</context>
<context>
    <name>Keys</name>
    <message>
        <source>Everywhere</source>
        <translation>Überall</translation>
    </message>
    <message>
        <source>Data, Train, Runs, Fleet</source>
        <translation>Daten, Training, Läufe, Flotte</translation>
    </message>
    <message>
        <source>Find a command</source>
        <translation>Befehl suchen</translation>
    </message>
    <message>
        <source>Find in this page</source>
        <translation>Auf dieser Seite suchen</translation>
    </message>
    <message>
        <source>Show or hide side panels</source>
        <translation>Seitenleisten zeigen oder verbergen</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Full screen</source>
        <translation>Vollbild</translation>
    </message>
    <message>
        <source>This sheet</source>
        <translation>Diese Übersicht</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>Move in the grid</source>
        <translation>Im Raster bewegen</translation>
    </message>
    <message>
        <source>Extend or add to the selection</source>
        <translation>Auswahl erweitern oder ergänzen</translation>
    </message>
    <message>
        <source>Size of the thumbnails</source>
        <translation>Größe der Vorschaubilder</translation>
    </message>
    <message>
        <source>Previous, next image</source>
        <translation>Voriges, nächstes Bild</translation>
    </message>
    <message>
        <source>Play the segment</source>
        <translation>Segment abspielen</translation>
    </message>
    <message>
        <source>Tag, note</source>
        <translation>Schlagwort, Notiz</translation>
    </message>
    <message>
        <source>What the model sees</source>
        <translation>Was das Modell sieht</translation>
    </message>
    <message>
        <source>Zoom, fit</source>
        <translation>Zoomen, einpassen</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>Start run</source>
        <translation>Lauf starten</translation>
    </message>
    <message>
        <source>Save the configuration</source>
        <translation>Konfiguration sichern</translation>
    </message>
    <message>
        <source>Undo, redo</source>
        <translation>Rückgängig, wiederholen</translation>
    </message>
    <message>
        <source>Change what a module does</source>
        <translation>Ändern, was ein Modul tut</translation>
    </message>
    <message>
        <source>Paint frozen, full, LoRA, 4-bit</source>
        <translation>Eingefroren, voll, LoRA, 4 Bit malen</translation>
    </message>
    <message>
        <source>Back to what the settings say</source>
        <translation>Zurück zu den Einstellungen</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>Save and stop</source>
        <translation>Sichern und anhalten</translation>
    </message>
    <message>
        <source>Draw a run beside the one on show</source>
        <translation>Einen Lauf neben den gezeigten zeichnen</translation>
    </message>
    <message>
        <source>Pin, tag, move to the trash</source>
        <translation>Anheften, Schlagwort, Papierkorb</translation>
    </message>
    <message>
        <source>What happened at a step</source>
        <translation>Was bei einem Schritt geschah</translation>
    </message>
    <message>
        <source>Zoom the plots</source>
        <translation>Kurven zoomen</translation>
    </message>
    <message>
        <source>Move along</source>
        <translation>Verschieben</translation>
    </message>
    <message>
        <source>Show the whole run</source>
        <translation>Ganzen Lauf zeigen</translation>
    </message>
    <message>
        <source>Move the crosshair</source>
        <translation>Fadenkreuz bewegen</translation>
    </message>
    <message>
        <source>Fleet</source>
        <translation>Flotte</translation>
    </message>
    <message>
        <source>Go from machine to machine</source>
        <translation>Von Rechner zu Rechner gehen</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Enter</translation>
    </message>
    <message>
        <source>Connect, or what can be done with the machine</source>
        <translation>Verbinden, oder was mit dem Rechner getan werden kann</translation>
    </message>
    <message>
        <source>Let a run of the queue start earlier, later</source>
        <translation>Einen Lauf der Warteschlange früher, später starten</translation>
    </message>
    <message>
        <source>Ctrl+1 … 4</source>
        <translation>Strg+1 … 4</translation>
    </message>
    <message>
        <source>/   Ctrl+F</source>
        <translation>/   Strg+F</translation>
    </message>
    <message>
        <source>[   ]</source>
        <translation>[   ]</translation>
    </message>
    <message>
        <source>Ctrl+,</source>
        <translation>Strg+,</translation>
    </message>
    <message>
        <source>F11</source>
        <translation>F11</translation>
    </message>
    <message>
        <source>?   F1</source>
        <translation>?   F1</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>Arrows  Home  End</source>
        <translation>Pfeile  Pos1  Ende</translation>
    </message>
    <message>
        <source>Space   Enter</source>
        <translation>Leertaste   Enter</translation>
    </message>
    <message>
        <source>Shift   Ctrl</source>
        <translation>Umschalt   Strg</translation>
    </message>
    <message>
        <source>Ctrl+wheel</source>
        <translation>Strg+Rad</translation>
    </message>
    <message>
        <source>A   D</source>
        <translation>A   D</translation>
    </message>
    <message>
        <source>P</source>
        <translation>P</translation>
    </message>
    <message>
        <source>T   N</source>
        <translation>T   N</translation>
    </message>
    <message>
        <source>M</source>
        <translation>M</translation>
    </message>
    <message>
        <source>Ctrl+Enter   F5</source>
        <translation>Strg+Enter   F5</translation>
    </message>
    <message>
        <source>Ctrl+S</source>
        <translation>Strg+S</translation>
    </message>
    <message>
        <source>Ctrl+Z   Ctrl+Y</source>
        <translation>Strg+Z   Strg+Y</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>Leertaste</translation>
    </message>
    <message>
        <source>F  T  L  Q</source>
        <translation>F  T  L  Q</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Entf</translation>
    </message>
    <message>
        <source>Shift+F5</source>
        <translation>Umschalt+F5</translation>
    </message>
    <message>
        <source>P   T   Delete</source>
        <translation>P   T   Entf</translation>
    </message>
    <message>
        <source>Alt+Up   Alt+Down</source>
        <translation>Alt+Pfeil auf   Alt+Pfeil ab</translation>
    </message>
    <message>
        <source>Click</source>
        <translation>Klick</translation>
    </message>
    <message>
        <source>Shift+drag</source>
        <translation>Umschalt+Ziehen</translation>
    </message>
    <message>
        <source>Double click   F</source>
        <translation>Doppelklick   F</translation>
    </message>
    <message>
        <source>Left   Right</source>
        <translation>Links   Rechts</translation>
    </message>
    <message>
        <source>H   L   J</source>
        <translation>H   L   J</translation>
    </message>
    <message>
        <source>Boxes, their names, labels of the laser</source>
        <translation>Boxen, ihre Namen, Beschriftungen des Lasers</translation>
    </message>
    <message>
        <source>Ctrl+Up   Ctrl+Down</source>
        <translation>Strg+Pfeil auf   Strg+Pfeil ab</translation>
    </message>
    <message>
        <source>Go to a run without showing it; Enter shows it</source>
        <translation>Zu einem Lauf gehen, ohne ihn zu zeigen; Enter zeigt ihn</translation>
    </message>
    <message>
        <source>Space   Ctrl+click</source>
        <translation>Leertaste   Strg+Klick</translation>
    </message>
    <message>
        <source>Open the image; Space closes it</source>
        <translation>Bild öffnen; die Leertaste schließt es</translation>
    </message>
    <message>
        <source>Enter   Down   Esc</source>
        <translation>Enter   Pfeil ab   Esc</translation>
    </message>
    <message>
        <source>From the query to its images</source>
        <translation>Von der Abfrage zu ihren Bildern</translation>
    </message>
    <message>
        <source>Menu</source>
        <translation>Menütaste</translation>
    </message>
    <message>
        <source>What can be done with the images</source>
        <translation>Was sich mit den Bildern tun lässt</translation>
    </message>
    <message>
        <source>Ctrl+K   Ctrl+Shift+P</source>
        <translation>Strg+K   Strg+Umschalt+P</translation>
    </message>
    <message>
        <source>Ctrl+O</source>
        <translation>Strg+O</translation>
    </message>
    <message>
        <source>Open an index</source>
        <translation>Index öffnen</translation>
    </message>
    <message>
        <source>Ctrl+Q</source>
        <translation>Strg+Q</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>?</source>
        <translation>?</translation>
    </message>
    <message>
        <source>In the query: what it can say</source>
        <translation>In der Abfrage: was sie sagen kann</translation>
    </message>
    <message>
        <source>Ctrl+A</source>
        <translation>Strg+A</translation>
    </message>
    <message>
        <source>Select all images of the query</source>
        <translation>Alle Bilder der Abfrage auswählen</translation>
    </message>
    <message>
        <source>Take a histogram&apos;s range out of the query</source>
        <translation>Bereich eines Histogramms aus der Abfrage nehmen</translation>
    </message>
    <message>
        <source>Wheel   +   −   F</source>
        <translation>Rad   +   −   F</translation>
    </message>
    <message>
        <source>R   A   Delete</source>
        <translation>R   A   Entf</translation>
    </message>
    <message>
        <source>In the queue: try again, answer, take out</source>
        <translation>In der Warteschlange: noch einmal, antworten, entfernen</translation>
    </message>
    <message>
        <source>Drag   Wheel   +   −</source>
        <translation>Ziehen   Rad   +   −</translation>
    </message>
    <message>
        <source>Enter   Delete</source>
        <translation>Enter   Entf</translation>
    </message>
    <message>
        <source>Under Earlier checks: show, take out</source>
        <translation>Unter Frühere Prüfungen: zeigen, entfernen</translation>
    </message>
    <message>
        <source>Documentation</source>
        <translation>Dokumentation</translation>
    </message>
    <message>
        <source>Shift+F1</source>
        <translation>Umschalt+F1</translation>
    </message>
</context>
<context>
    <name>LiveEdit</name>
    <message>
        <source>Learning rate</source>
        <translation>Lernrate</translation>
    </message>
    <message>
        <source>Clip gradients at</source>
        <translation>Gradienten kappen bei</translation>
    </message>
    <message>
        <source>Log every … steps</source>
        <translation>Protokoll alle … Schritte</translation>
    </message>
    <message>
        <source>Save every … steps</source>
        <translation>Sichern alle … Schritte</translation>
    </message>
    <message>
        <source>Evaluate every … steps</source>
        <translation>Auswerten alle … Schritte</translation>
    </message>
</context>
<context>
    <name>Loss</name>
    <message>
        <source>no number</source>
        <translation>keine Zahl</translation>
    </message>
    <message>
        <source>infinite</source>
        <translation>unendlich</translation>
    </message>
    <message>
        <source>loss %1</source>
        <translation>Verlust %1</translation>
    </message>
    <message>
        <source>not seen</source>
        <translation>nie gesehen</translation>
    </message>
    <message>
        <source>The run has not seen this image.</source>
        <translation>Der Lauf hat dieses Bild nie gesehen.</translation>
    </message>
    <message>
        <source>%1 at step %2</source>
        <translation>%1 bei Schritt %2</translation>
    </message>
    <message>
        <source>seen %1 times, worst %2 at step %3</source>
        <translation>%1-mal gesehen, am schlimmsten %2 bei Schritt %3</translation>
    </message>
</context>
<context>
    <name>OpenText</name>
    <message>
        <source>No program of this desktop opens it. It lies here: %1</source>
        <translation>Kein Programm dieser Arbeitsumgebung öffnet es. Es liegt hier: %1</translation>
    </message>
    <message>
        <source>Copy path</source>
        <translation>Pfad kopieren</translation>
    </message>
    <message>
        <source>Copy link</source>
        <translation>Link kopieren</translation>
    </message>
</context>
<context>
    <name>Phase</name>
    <message>
        <source>starting</source>
        <translation>startet</translation>
    </message>
    <message>
        <source>loading</source>
        <translation>lädt</translation>
    </message>
    <message>
        <source>preparing</source>
        <translation>bereitet vor</translation>
    </message>
    <message>
        <source>training</source>
        <translation>trainiert</translation>
    </message>
    <message>
        <source>evaluating</source>
        <translation>wertet aus</translation>
    </message>
    <message>
        <source>saving</source>
        <translation>speichert</translation>
    </message>
    <message>
        <source>finishing</source>
        <translation>schließt ab</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>pausiert</translation>
    </message>
</context>
<context>
    <name>Plot</name>
    <message>
        <source>Loss</source>
        <translation>Verlust</translation>
    </message>
    <message>
        <source>Throughput, samples/s</source>
        <translation>Durchsatz, Beispiele/s</translation>
    </message>
    <message>
        <source>Utilisation</source>
        <translation>Auslastung</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>Lernrate</translation>
    </message>
    <message>
        <source>Gradient norm</source>
        <translation>Gradientennorm</translation>
    </message>
    <message>
        <source>Time per step</source>
        <translation>Zeit je Schritt</translation>
    </message>
    <message>
        <source>Disk and network, per second</source>
        <translation>Platte und Netz, je Sekunde</translation>
    </message>
    <message>
        <source>Evaluation of the probe samples</source>
        <translation>Auswertung der Probebilder</translation>
    </message>
    <message>
        <source>Model FLOPs utilisation</source>
        <translation>Genutzte Rechenleistung (MFU)</translation>
    </message>
    <message>
        <source>Throughput, tokens/s</source>
        <translation>Durchsatz, Tokens/s</translation>
    </message>
    <message>
        <source>Arithmetic, TFLOP/s</source>
        <translation>Rechenarbeit, TFLOP/s</translation>
    </message>
    <message>
        <source>Power of the cards, W</source>
        <translation>Leistung der Karten, W</translation>
    </message>
    <message>
        <source>Busy units of the cards</source>
        <translation>Beschäftigte Rechenwerke</translation>
    </message>
    <message>
        <source>Busy tensor cores</source>
        <translation>Beschäftigte Tensorkerne</translation>
    </message>
    <message>
        <source>Busy memory of the cards</source>
        <translation>Beschäftigter Kartenspeicher</translation>
    </message>
    <message>
        <source>Temperature of the cards, °C</source>
        <translation>Temperatur der Karten, °C</translation>
    </message>
    <message>
        <source>Clock of the cards, MHz</source>
        <translation>Takt der Karten, MHz</translation>
    </message>
    <message>
        <source>PCIe, per second</source>
        <translation>PCIe, je Sekunde</translation>
    </message>
    <message>
        <source>NVLink, per second</source>
        <translation>NVLink, je Sekunde</translation>
    </message>
    <message>
        <source>Memory of the tensors</source>
        <translation>Speicher der Tensoren</translation>
    </message>
    <message>
        <source>Malformed pieces per sample</source>
        <translation>Unlesbare Stücke je Bild</translation>
    </message>
</context>
<context>
    <name>ProblemText</name>
    <message>
        <source>no such folder: %1</source>
        <translation>kein solcher Ordner: %1</translation>
    </message>
    <message>
        <source>download the model first, and name its folder</source>
        <translation>das Modell zuerst herunterladen und seinen Ordner nennen</translation>
    </message>
    <message>
        <source>not a folder: %1</source>
        <translation>kein Ordner: %1</translation>
    </message>
    <message>
        <source>name the folder that holds config.json</source>
        <translation>den Ordner nennen, in dem config.json liegt</translation>
    </message>
    <message>
        <source>no config.json in %1</source>
        <translation>keine config.json in %1</translation>
    </message>
    <message>
        <source>name a folder in the Hugging Face layout</source>
        <translation>einen Ordner im Aufbau von Hugging Face nennen</translation>
    </message>
    <message>
        <source>no such file or folder: %1</source>
        <translation>keine solche Datei und kein solcher Ordner: %1</translation>
    </message>
    <message>
        <source>check the path</source>
        <translation>den Pfad prüfen</translation>
    </message>
    <message>
        <source>choose another folder</source>
        <translation>einen anderen Ordner wählen</translation>
    </message>
    <message>
        <source>cannot write in %1</source>
        <translation>kein Schreibrecht in %1</translation>
    </message>
    <message>
        <source>choose a folder of your own</source>
        <translation>einen eigenen Ordner wählen</translation>
    </message>
    <message>
        <source>leave the key out, or give %1</source>
        <translation>den Schlüssel weglassen oder %1 angeben</translation>
    </message>
    <message>
        <source>leave the key out for the default, %1</source>
        <translation>den Schlüssel weglassen, dann gilt %1</translation>
    </message>
    <message>
        <source>leave the field empty</source>
        <translation>das Feld leer lassen</translation>
    </message>
    <message>
        <source>leave the field empty, or give %1</source>
        <translation>das Feld leer lassen oder %1 angeben</translation>
    </message>
    <message>
        <source>leave the field empty for the default, %1</source>
        <translation>das Feld leer lassen, dann gilt %1</translation>
    </message>
    <message>
        <source>has no value; expected %1</source>
        <translation>hat keinen Wert; erwartet: %1</translation>
    </message>
    <message>
        <source>is an empty path</source>
        <translation>ist ein leerer Pfad</translation>
    </message>
    <message>
        <source>must be a path of this machine</source>
        <translation>muss ein Pfad auf diesem Rechner sein</translation>
    </message>
    <message>
        <source>only data and mirror_checkpoints_to may be s3:// or gs://</source>
        <translation>nur Daten und mirror_checkpoints_to dürfen s3:// oder gs:// sein</translation>
    </message>
    <message>
        <source>must be finite, found %1</source>
        <translation>muss endlich sein, gefunden: %1</translation>
    </message>
    <message>
        <source>%1 is out of range: must be %2</source>
        <translation>%1 liegt außerhalb: erlaubt ist %2</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not one of %2</source>
        <translation>„%1“ ist keines von %2</translation>
    </message>
    <message>
        <source>keys must be plain words</source>
        <translation>Schlüssel müssen einfache Wörter sein</translation>
    </message>
    <message>
        <source>%1 stands here twice</source>
        <translation>%1 steht hier zweimal</translation>
    </message>
    <message>
        <source>keep one of them</source>
        <translation>eines davon behalten</translation>
    </message>
    <message>
        <source>expected %1, found %2</source>
        <translation>erwartet: %1, gefunden: %2</translation>
    </message>
    <message>
        <source>at least %1</source>
        <translation>mindestens %1</translation>
    </message>
    <message>
        <source>at most %1</source>
        <translation>höchstens %1</translation>
    </message>
    <message>
        <source>above %1</source>
        <translation>über %1</translation>
    </message>
    <message>
        <source>below %1</source>
        <translation>unter %1</translation>
    </message>
    <message>
        <source>at least %1 and at most %2</source>
        <translation>mindestens %1 und höchstens %2</translation>
    </message>
    <message>
        <source>at least %1 and below %2</source>
        <translation>mindestens %1 und unter %2</translation>
    </message>
    <message>
        <source>above %1 and at most %2</source>
        <translation>über %1 und höchstens %2</translation>
    </message>
    <message>
        <source>above %1 and below %2</source>
        <translation>über %1 und unter %2</translation>
    </message>
    <message>
        <source>a list</source>
        <translation>eine Liste</translation>
    </message>
    <message>
        <source>a map</source>
        <translation>eine Zuordnung</translation>
    </message>
    <message>
        <source>a single value</source>
        <translation>ein einzelner Wert</translation>
    </message>
    <message>
        <source>a text</source>
        <translation>ein Text</translation>
    </message>
    <message>
        <source>a path</source>
        <translation>ein Pfad</translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation>eine ganze Zahl</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>eine Zahl</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>true oder false</translation>
    </message>
    <message>
        <source>one of a few words</source>
        <translation>eines von wenigen Wörtern</translation>
    </message>
    <message>
        <source>a list of words</source>
        <translation>eine Liste von Wörtern</translation>
    </message>
    <message>
        <source>a list of whole numbers</source>
        <translation>eine Liste ganzer Zahlen</translation>
    </message>
    <message>
        <source>a list of words or one text</source>
        <translation>eine Liste von Wörtern oder ein Text</translation>
    </message>
    <message>
        <source>a map (key: value)</source>
        <translation>eine Zuordnung (Schlüssel: Wert)</translation>
    </message>
    <message>
        <source>a path, or a list of {path, weight, query, task, images}</source>
        <translation>ein Pfad oder eine Liste von {path, weight, query, task, images}</translation>
    </message>
    <message>
        <source>a map of module: frozen, full, lora or qlora</source>
        <translation>eine Zuordnung von Modul: frozen, full, lora oder qlora</translation>
    </message>
    <message>
        <source>%1-bit weights are not offered</source>
        <translation>Gewichte mit %1 Bit gibt es nicht</translation>
    </message>
    <message>
        <source>is an empty list</source>
        <translation>ist eine leere Liste</translation>
    </message>
    <message>
        <source>name at least one path</source>
        <translation>mindestens einen Pfad nennen</translation>
    </message>
    <message>
        <source>a source has no &apos;%1&apos;</source>
        <translation>eine Quelle hat kein „%1“</translation>
    </message>
    <message>
        <source>a source without a path</source>
        <translation>eine Quelle ohne Pfad</translation>
    </message>
    <message>
        <source>module names must be plain words</source>
        <translation>Namen von Modulen müssen einfache Wörter sein</translation>
    </message>
    <message>
        <source>an exception has no &apos;%1&apos;</source>
        <translation>eine Ausnahme hat kein „%1“</translation>
    </message>
    <message>
        <source>an exception without a method</source>
        <translation>eine Ausnahme ohne Verfahren</translation>
    </message>
    <message>
        <source>stands here a second time; first in line %1</source>
        <translation>steht hier ein zweites Mal; zuerst in Zeile %1</translation>
    </message>
    <message>
        <source>%1 is already set in line %2</source>
        <translation>%1 ist schon in Zeile %2 gesetzt</translation>
    </message>
    <message>
        <source>%1 is already set in line %2 as %3</source>
        <translation>%1 ist schon in Zeile %2 gesetzt, als %3</translation>
    </message>
    <message>
        <source>write `key: value`</source>
        <translation>`Schlüssel: Wert` schreiben</translation>
    </message>
    <message>
        <source>merge keys are not supported</source>
        <translation>Schlüssel zum Zusammenführen (&lt;&lt;) gibt es nicht</translation>
    </message>
    <message>
        <source>write the keys out</source>
        <translation>die Schlüssel ausschreiben</translation>
    </message>
    <message>
        <source>expected keys below this heading</source>
        <translation>unter dieser Überschrift werden Schlüssel erwartet</translation>
    </message>
    <message>
        <source>indent them by two spaces</source>
        <translation>sie um zwei Leerzeichen einrücken</translation>
    </message>
    <message>
        <source>unknown key</source>
        <translation>unbekannter Schlüssel</translation>
    </message>
    <message>
        <source>`roadtune config reference` lists all keys</source>
        <translation>`roadtune config reference` listet alle Schlüssel</translation>
    </message>
    <message>
        <source>has no effect: %1</source>
        <translation>hat keine Wirkung: %1</translation>
    </message>
    <message>
        <source>expected `key: value` lines, found %1</source>
        <translation>erwartet: Zeilen `Schlüssel: Wert`, gefunden: %1</translation>
    </message>
    <message>
        <source>`roadtune config init` prints a file to start from</source>
        <translation>`roadtune config init` gibt eine Datei zum Anfangen aus</translation>
    </message>
    <message>
        <source>environment variable %1 is not set</source>
        <translation>die Umgebungsvariable %1 ist nicht gesetzt</translation>
    </message>
    <message>
        <source>export %1=..., or write ${%2:-default}</source>
        <translation>export %1=... oder ${%2:-Vorgabe} schreiben</translation>
    </message>
    <message>
        <source>an alias (*name) stands inside its own anchor</source>
        <translation>ein Verweis (*name) steht in seinem eigenen Anker</translation>
    </message>
    <message>
        <source>more values than any configuration has</source>
        <translation>mehr Werte, als eine Konfiguration je hat</translation>
    </message>
    <message>
        <source>nested deeper than any configuration is</source>
        <translation>tiefer verschachtelt, als eine Konfiguration je ist</translation>
    </message>
    <message>
        <source>write it out plainly</source>
        <translation>es einfach ausschreiben</translation>
    </message>
    <message>
        <source>larger than 1 MiB: this is not a configuration file</source>
        <translation>größer als 1 MiB: das ist keine Konfiguration</translation>
    </message>
    <message>
        <source>name a YAML file</source>
        <translation>eine YAML-Datei nennen</translation>
    </message>
    <message>
        <source>a control character: this is not a text file</source>
        <translation>ein Steuerzeichen: das ist keine Textdatei</translation>
    </message>
    <message>
        <source>name a YAML file in UTF-8</source>
        <translation>eine YAML-Datei in UTF-8 nennen</translation>
    </message>
    <message>
        <source>not UTF-8 text</source>
        <translation>kein Text in UTF-8</translation>
    </message>
    <message>
        <source>save the file as UTF-8</source>
        <translation>die Datei als UTF-8 speichern</translation>
    </message>
    <message>
        <source>indent with spaces, not with tabs</source>
        <translation>mit Leerzeichen einrücken, nicht mit Tabulatoren</translation>
    </message>
    <message>
        <source>check the indentation, quotes and brackets of this line and the one above</source>
        <translation>Einrückung, Anführungszeichen und Klammern dieser Zeile und der darüber prüfen</translation>
    </message>
    <message>
        <source>a second document starts here</source>
        <translation>hier beginnt ein zweites Dokument</translation>
    </message>
    <message>
        <source>keep one, without `---` between keys</source>
        <translation>eines behalten, ohne `---` zwischen den Schlüsseln</translation>
    </message>
    <message>
        <source>not well-formed YAML: %1</source>
        <translation>kein gültiges YAML: %1</translation>
    </message>
    <message>
        <source>check the file</source>
        <translation>die Datei prüfen</translation>
    </message>
    <message>
        <source>hosts and fleet both name machines</source>
        <translation>hosts und fleet nennen beide Rechner</translation>
    </message>
    <message>
        <source>holds an empty name</source>
        <translation>enthält einen leeren Namen</translation>
    </message>
    <message>
        <source>name each machine once</source>
        <translation>jeden Rechner einmal nennen</translation>
    </message>
    <message>
        <source>holds a number twice</source>
        <translation>enthält eine Zahl zweimal</translation>
    </message>
    <message>
        <source>name each GPU once</source>
        <translation>jede GPU einmal nennen</translation>
    </message>
    <message>
        <source>remove the line for all GPUs, or device: cpu</source>
        <translation>für alle GPUs die Zeile entfernen, oder device: cpu</translation>
    </message>
    <message>
        <source>nccl needs GPUs, and device is cpu</source>
        <translation>nccl braucht GPUs, und device ist cpu</translation>
    </message>
    <message>
        <source>all samples are taken: &apos;%1: %2&apos; is left out</source>
        <translation>alle Beispiele werden genommen: „%1: %2“ fällt weg</translation>
    </message>
    <message>
        <source>max_train_samples, or a file of its own</source>
        <translation>max_train_samples, oder eine eigene Datei</translation>
    </message>
    <message>
        <source>&apos;%1&apos; of a source is not needed here, and left out</source>
        <translation>„%1“ einer Quelle wird hier nicht gebraucht und fällt weg</translation>
    </message>
    <message>
        <source>would delete what %1 names: %2</source>
        <translation>würde löschen, was %1 nennt: %2</translation>
    </message>
    <message>
        <source>another output_dir, or put it elsewhere first</source>
        <translation>ein anderes output_dir, oder lege es vorher an einen anderen Ort</translation>
    </message>
    <message>
        <source>would delete the checkpoint to go on from</source>
        <translation>würde den Checkpoint löschen, von dem es weitergehen soll</translation>
    </message>
    <message>
        <source>roadtune resume on that folder, or another output_dir</source>
        <translation>roadtune resume mit diesem Ordner, oder ein anderes output_dir</translation>
    </message>
    <message>
        <source>a restart would go back to resume_from_checkpoint, not to the run&apos;s own checkpoints</source>
        <translation>ein Neustart ginge zu resume_from_checkpoint zurück, nicht zu den eigenen Checkpoints des Laufs</translation>
    </message>
    <message>
        <source>hybrid on one machine is the same as sharded</source>
        <translation>hybrid ist auf einem Rechner dasselbe wie sharded</translation>
    </message>
    <message>
        <source>is missing</source>
        <translation>fehlt</translation>
    </message>
    <message>
        <source>has no effect unless %1 is %2</source>
        <translation>hat keine Wirkung, solange %1 nicht %2 ist</translation>
    </message>
    <message>
        <source>%1 or %2</source>
        <translation>%1 oder %2</translation>
    </message>
    <message>
        <source>%1, or %2</source>
        <translation>%1 oder %2</translation>
    </message>
    <message>
        <source>finetuning_type qlora keeps the base weights in 4 bits</source>
        <translation>finetuning_type qlora hält die Grundgewichte in 4 Bit</translation>
    </message>
    <message>
        <source>4-bit weights cannot be trained in full</source>
        <translation>Gewichte in 4 Bit lassen sich nicht voll trainieren</translation>
    </message>
    <message>
        <source>finetuning_type %1 needs layers to adapt</source>
        <translation>finetuning_type %1 braucht Schichten zum Anpassen</translation>
    </message>
    <message>
        <source>works with a list of target_modules only</source>
        <translation>geht nur mit einer Liste in target_modules</translation>
    </message>
    <message>
        <source>write the layer numbers into the regular expression</source>
        <translation>die Nummern der Schichten in den regulären Ausdruck schreiben</translation>
    </message>
    <message>
        <source>needs layers_to_transform</source>
        <translation>braucht layers_to_transform</translation>
    </message>
    <message>
        <source>does not go together with use_dora</source>
        <translation>geht nicht zusammen mit use_dora</translation>
    </message>
    <message>
        <source>current releases of peft do not read biases and trained modules from layout %1</source>
        <translation>heutige Ausgaben von peft lesen Bias und trainierte Module nicht aus dem Aufbau %1</translation>
    </message>
    <message>
        <source>adapter_layout: auto, unless the reader is an old release</source>
        <translation>adapter_layout: auto, außer eine alte Ausgabe liest ihn</translation>
    </message>
    <message>
        <source>everything is frozen: nothing would be trained</source>
        <translation>alles ist eingefroren: nichts würde trainiert</translation>
    </message>
    <message>
        <source>%1: qlora, but the base weights are not in 4 bits</source>
        <translation>%1: qlora, aber die Grundgewichte sind nicht in 4 Bit</translation>
    </message>
    <message>
        <source>finetuning_type: qlora, or lora here</source>
        <translation>finetuning_type: qlora, oder hier lora</translation>
    </message>
    <message>
        <source>contradicts bf16: true</source>
        <translation>widerspricht bf16: true</translation>
    </message>
    <message>
        <source>float16 needs loss scaling, which is not offered</source>
        <translation>float16 braucht ein Skalieren des Verlusts, das es hier nicht gibt</translation>
    </message>
    <message>
        <source>bf16: true without fp16</source>
        <translation>bf16: true ohne fp16</translation>
    </message>
    <message>
        <source>checkpoints in pickle files are not offered</source>
        <translation>Checkpoints in Pickle-Dateien gibt es nicht</translation>
    </message>
    <message>
        <source>augmented pictures are new every time</source>
        <translation>veränderte Bilder sind jedes Mal neu</translation>
    </message>
    <message>
        <source>sharding: ddp, or no ema_decay</source>
        <translation>sharding: ddp, oder kein ema_decay</translation>
    </message>
    <message>
        <source>%1 has no &apos;%2&apos;</source>
        <translation>%1 hat kein „%2“</translation>
    </message>
    <message>
        <source>remove it</source>
        <translation>es entfernen</translation>
    </message>
    <message>
        <source>%1 takes a number, not &apos;%2&apos;</source>
        <translation>%1 braucht eine Zahl, nicht „%2“</translation>
    </message>
    <message>
        <source>%1 is not one of its shapes</source>
        <translation>%1 gehört nicht zu den möglichen Formen</translation>
    </message>
    <message>
        <source>%1 needs one of min_lr and min_lr_rate</source>
        <translation>%1 braucht entweder min_lr oder min_lr_rate</translation>
    </message>
    <message>
        <source>warmup_stable_decay needs num_decay_steps</source>
        <translation>warmup_stable_decay braucht num_decay_steps</translation>
    </message>
    <message>
        <source>%1 is neither whole nor a share below 1</source>
        <translation>%1 ist weder ganz noch ein Anteil unter 1</translation>
    </message>
    <message>
        <source>best needs evaluations</source>
        <translation>best braucht Auswertungen</translation>
    </message>
    <message>
        <source>needs evaluations</source>
        <translation>braucht Auswertungen</translation>
    </message>
    <message>
        <source>needs a checkpoint at each evaluation: eval_strategy is %1, save_strategy is %2</source>
        <translation>braucht einen Checkpoint bei jeder Auswertung: eval_strategy ist %1, save_strategy ist %2</translation>
    </message>
    <message>
        <source>the same strategy for both</source>
        <translation>für beide dasselbe</translation>
    </message>
    <message>
        <source>save_steps (%1) must be a multiple of eval_steps (%2)</source>
        <translation>save_steps (%1) muss ein Vielfaches von eval_steps (%2) sein</translation>
    </message>
    <message>
        <source>evaluation has no metric of that name</source>
        <translation>die Auswertung hat kein Maß dieses Namens</translation>
    </message>
    <message>
        <source>one of %1</source>
        <translation>eines von %1</translation>
    </message>
    <message>
        <source>%1 comes from predictions for probe samples, and there are none</source>
        <translation>%1 kommt aus Vorhersagen für Probebilder, und es gibt keine</translation>
    </message>
    <message>
        <source>warmup_steps and warmup_ratio both set the warm-up</source>
        <translation>warmup_steps und warmup_ratio bestimmen beide das Aufwärmen</translation>
    </message>
    <message>
        <source>has no effect with lr_scheduler_type constant</source>
        <translation>hat mit lr_scheduler_type constant keine Wirkung</translation>
    </message>
    <message>
        <source>has no effect: max_steps is %1</source>
        <translation>hat keine Wirkung: max_steps ist %1</translation>
    </message>
    <message>
        <source>a run of 0 steps trains nothing</source>
        <translation>ein Lauf mit 0 Schritten trainiert nichts</translation>
    </message>
    <message>
        <source>-1 to count in epochs</source>
        <translation>-1, um in Epochen zu zählen</translation>
    </message>
    <message>
        <source>eval_data says already what to evaluate on</source>
        <translation>eval_data sagt schon, worauf ausgewertet wird</translation>
    </message>
    <message>
        <source>what is held out is never used: eval_strategy is no</source>
        <translation>was zurückgehalten wird, wird nie benutzt: eval_strategy ist no</translation>
    </message>
    <message>
        <source>there is no eval_data to evaluate on</source>
        <translation>es gibt kein eval_data zum Auswerten</translation>
    </message>
    <message>
        <source>is never used: eval_strategy is no</source>
        <translation>wird nie benutzt: eval_strategy ist no</translation>
    </message>
    <message>
        <source>expected key=value</source>
        <translation>erwartet: Schlüssel=Wert</translation>
    </message>
    <message>
        <source>nothing is uploaded</source>
        <translation>nichts wird hochgeladen</translation>
    </message>
    <message>
        <source>this is what Roadtune does anyway</source>
        <translation>das tut Roadtune ohnehin</translation>
    </message>
    <message>
        <source>Roadtune has its own way for this</source>
        <translation>Roadtune hat dafür einen eigenen Weg</translation>
    </message>
    <message>
        <source>samples are read as they are</source>
        <translation>Beispiele werden gelesen, wie sie sind</translation>
    </message>
    <message>
        <source>training is what a run does</source>
        <translation>trainieren ist, was ein Lauf tut</translation>
    </message>
    <message>
        <source>trackers are chosen with report_to</source>
        <translation>Aufzeichnungen wählt report_to</translation>
    </message>
    <message>
        <source>no code of a checkpoint is ever run</source>
        <translation>Code aus einem Checkpoint wird nie ausgeführt</translation>
    </message>
    <message>
        <source>data is named by path</source>
        <translation>Daten werden mit ihrem Pfad genannt</translation>
    </message>
    <message>
        <source>PEFT&apos;s bookkeeping</source>
        <translation>Buchführung von PEFT</translation>
    </message>
    <message>
        <source>DeepSpeed is not used</source>
        <translation>DeepSpeed wird nicht benutzt</translation>
    </message>
    <message>
        <source>sharding is named differently here</source>
        <translation>das Aufteilen heißt hier anders</translation>
    </message>
    <message>
        <source>8-bit weights are not offered</source>
        <translation>Gewichte in 8 Bit gibt es nicht</translation>
    </message>
    <message>
        <source>load_in_4bit: true with finetuning_type: qlora</source>
        <translation>load_in_4bit: true mit finetuning_type: qlora</translation>
    </message>
    <message>
        <source>float16 is not offered</source>
        <translation>float16 gibt es nicht</translation>
    </message>
    <message>
        <source>8-bit floating point is not offered</source>
        <translation>Gleitkommazahlen in 8 Bit gibt es nicht</translation>
    </message>
    <message>
        <source>samples are not packed together</source>
        <translation>Beispiele werden nicht zusammengepackt</translation>
    </message>
    <message>
        <source>remove the line</source>
        <translation>die Zeile entfernen</translation>
    </message>
    <message>
        <source>data is read in place, which needs no streaming</source>
        <translation>Daten werden gelesen, wo sie liegen; das braucht kein Streaming</translation>
    </message>
    <message>
        <source>the batch size is what you say</source>
        <translation>die Bündelgröße ist, was dort steht</translation>
    </message>
    <message>
        <source>roadtune estimate shows what fits</source>
        <translation>roadtune estimate zeigt, was passt</translation>
    </message>
    <message>
        <source>resuming always goes on with the next sample</source>
        <translation>Fortsetzen geht immer mit dem nächsten Beispiel weiter</translation>
    </message>
    <message>
        <source>layer-wise optimizers are not offered</source>
        <translation>Optimierer je Schicht gibt es nicht</translation>
    </message>
    <message>
        <source>the optimizer has no further options</source>
        <translation>der Optimierer hat keine weiteren Einstellungen</translation>
    </message>
    <message>
        <source>adapters go on linear layers only</source>
        <translation>Adapter kommen nur an lineare Schichten</translation>
    </message>
    <message>
        <source>single rows of the embedding cannot be trained alone</source>
        <translation>einzelne Zeilen der Einbettung lassen sich nicht allein trainieren</translation>
    </message>
    <message>
        <source>layers cannot be repeated</source>
        <translation>Schichten lassen sich nicht wiederholen</translation>
    </message>
    <message>
        <source>this kind of adapter is not offered</source>
        <translation>diese Art von Adapter gibt es nicht</translation>
    </message>
    <message>
        <source>this first value of adapters is not offered</source>
        <translation>diesen Anfangswert von Adaptern gibt es nicht</translation>
    </message>
    <message>
        <source>this optimizer is not offered</source>
        <translation>diesen Optimierer gibt es nicht</translation>
    </message>
    <message>
        <source>choose layers by name</source>
        <translation>Schichten mit Namen wählen</translation>
    </message>
    <message>
        <source>evaluations are counted in steps or epochs</source>
        <translation>Auswertungen werden in Schritten oder Epochen gezählt</translation>
    </message>
    <message>
        <source>checkpoints are counted in steps or epochs</source>
        <translation>Checkpoints werden in Schritten oder Epochen gezählt</translation>
    </message>
    <message>
        <source>choose modules by name</source>
        <translation>Module mit Namen wählen</translation>
    </message>
    <message>
        <source>%1: no config.json here (try: point at a model folder in the Hugging Face layout)</source>
        <translation>%1: hier ist keine config.json (versuchen: einen Ordner im Aufbau von Hugging Face nennen)</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>already holds a run</source>
        <translation>enthält schon einen Lauf</translation>
    </message>
    <message>
        <source>is a file, not a folder</source>
        <translation>ist eine Datei, kein Ordner</translation>
    </message>
    <message>
        <source>a run is going on in this folder</source>
        <translation>in diesem Ordner läuft gerade ein Lauf</translation>
    </message>
    <message>
        <source>samples are not sorted by length</source>
        <translation>Beispiele werden nicht nach Länge sortiert</translation>
    </message>
    <message>
        <source>%1 processes for %2 GPUs</source>
        <translation>%1 Prozesse für %2 GPUs</translation>
    </message>
    <message>
        <source>processes can share one with ddp_backend: gloo</source>
        <translation>mit ddp_backend: gloo können Prozesse sich eine teilen</translation>
    </message>
    <message>
        <source>features need the whole vision tower in every process</source>
        <translation>Merkmale brauchen den ganzen Bildturm in jedem Prozess</translation>
    </message>
    <message>
        <source>averages need every weight in every process</source>
        <translation>Mittel brauchen jedes Gewicht in jedem Prozess</translation>
    </message>
    <message>
        <source>name each class once</source>
        <translation>jede Klasse einmal nennen</translation>
    </message>
    <message>
        <source>names nothing to detect</source>
        <translation>nennt nichts, was zu erkennen wäre</translation>
    </message>
    <message>
        <source>a class of the data</source>
        <translation>eine Klasse der Daten</translation>
    </message>
    <message>
        <source>what is left out means what it does in %1: %2</source>
        <translation>was fehlt, bedeutet, was es in %1 bedeutet: %2</translation>
    </message>
    <message>
        <source>%1 has made all %2 steps already: nothing would be trained</source>
        <translation>%1 hat schon alle %2 Schritte gemacht: Es würde nichts trainiert</translation>
    </message>
    <message>
        <source>more steps or epochs, or an earlier checkpoint</source>
        <translation>mehr Schritte oder Epochen, oder ein früherer Checkpoint</translation>
    </message>
    <message>
        <source>TensorBoard&apos;s files stand in the run&apos;s folder, under runs</source>
        <translation>die Dateien für TensorBoard liegen im Ordner des Laufs, unter runs</translation>
    </message>
    <message>
        <source>leave the key out</source>
        <translation>den Schlüssel weglassen</translation>
    </message>
    <message>
        <source>the loss counts the answers alone</source>
        <translation>der Verlust zählt nur die Antworten</translation>
    </message>
    <message>
        <source>`roadtune merge` makes one model of both</source>
        <translation>`roadtune merge` macht ein Modell aus beiden</translation>
    </message>
    <message>
        <source>there is no data to evaluate on</source>
        <translation>es gibt keine Daten zum Auswerten</translation>
    </message>
    <message>
        <source>what the model calls itself is not trained</source>
        <translation>wie das Modell sich nennt, wird nicht trainiert</translation>
    </message>
    <message>
        <source>all samples are taken, not %1</source>
        <translation>alle Beispiele werden genommen, nicht %1</translation>
    </message>
    <message>
        <source>left out, and something else in %1 than here: %2</source>
        <translation>weggelassen, und bei %1 etwas anderes als hier: %2</translation>
    </message>
    <message>
        <source>`roadtune config import` writes it out</source>
        <translation>`roadtune config import` schreibt es aus</translation>
    </message>
    <message>
        <source>what is trained is worked out by the program: %1</source>
        <translation>was trainiert wird, rechnet das Programm aus: %1</translation>
    </message>
    <message>
        <source>freeze_vision_tower and the like, or modules: {PATTERN: frozen}</source>
        <translation>freeze_vision_tower und Ähnliches, oder modules: {PATTERN: frozen}</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not offered: a run learns the answers of its samples, which is called sft there</source>
        <translation>„%1“ gibt es nicht: ein Lauf lernt die Antworten seiner Beispiele, was dort sft heißt</translation>
    </message>
    <message>
        <source>&apos;freeze&apos; trains some layers, which are named here: until then everything is frozen</source>
        <translation>„freeze“ trainiert einige Schichten, die hier benannt werden: bis dahin ist alles eingefroren</translation>
    </message>
    <message>
        <source>%1 of each of %2 sets: here %3 of all, each giving its share</source>
        <translation>%1 von jedem von %2 Datensätzen: hier %3 von allen, jeder mit seinem Anteil</translation>
    </message>
    <message>
        <source>sources are mixed by their weights</source>
        <translation>Quellen werden nach ihrem Gewicht gemischt</translation>
    </message>
    <message>
        <source>peft opens an adapter with a trained copy of %1 on the model in 16 bits, and on one in 4 bits only where this module is not</source>
        <translation>peft öffnet einen Adapter mit einer trainierten Kopie von %1 auf dem Modell in 16 Bit, und auf einem in 4 Bit nur, wo dieses Modul es nicht ist</translation>
    </message>
    <message>
        <source>llm_int8_skip_modules=[&apos;model.%1&apos;, &apos;lm_head&apos;] when it is opened there</source>
        <translation>llm_int8_skip_modules=[&apos;model.%1&apos;, &apos;lm_head&apos;], wenn er dort geöffnet wird</translation>
    </message>
    <message>
        <source>the program changes settings: %1</source>
        <translation>das Programm ändert Einstellungen: %1</translation>
    </message>
    <message>
        <source>write them into the call of TrainingArguments</source>
        <translation>sie in den Aufruf von TrainingArguments schreiben</translation>
    </message>
    <message>
        <source>the program makes its own optimizer: %1</source>
        <translation>das Programm macht sich einen eigenen Optimierer: %1</translation>
    </message>
    <message>
        <source>optim, learning_rate and weight_decay</source>
        <translation>optim, learning_rate und weight_decay</translation>
    </message>
    <message>
        <source>is worked out by the program: %1</source>
        <translation>rechnet das Programm aus: %1</translation>
    </message>
    <message>
        <source>write its value</source>
        <translation>den Wert hinschreiben</translation>
    </message>
    <message>
        <source>is given to no model, so its weights are whole</source>
        <translation>bekommt kein Modell; die Gewichte bleiben also ganz</translation>
    </message>
    <message>
        <source>is given to no model, so its weights are trained in full</source>
        <translation>bekommt kein Modell; die Gewichte werden also voll trainiert</translation>
    </message>
    <message>
        <source>is given to the program when it is started: %1</source>
        <translation>bekommt das Programm beim Start: %1</translation>
    </message>
    <message>
        <source>write its value, or import the script that starts it</source>
        <translation>den Wert hinschreiben oder das Skript importieren, das es startet</translation>
    </message>
    <message>
        <source>the program&apos;s own defaults are taken for %1</source>
        <translation>die Vorgaben des Programms gelten für %1</translation>
    </message>
    <message>
        <source>import the script that starts it, if that says otherwise</source>
        <translation>das Skript importieren, das es startet, wenn dort anderes steht</translation>
    </message>
    <message>
        <source>is worked out by the script: %1</source>
        <translation>rechnet das Skript aus: %1</translation>
    </message>
    <message>
        <source>machines are chosen with hosts</source>
        <translation>Rechner werden mit hosts gewählt</translation>
    </message>
    <message>
        <source>roadtune merge, and the merged model as model_name_or_path</source>
        <translation>roadtune merge, und das verschmolzene Modell als model_name_or_path</translation>
    </message>
    <message>
        <source>no adapter_config.json in %1</source>
        <translation>keine adapter_config.json in %1</translation>
    </message>
    <message>
        <source>no adapter_model.safetensors in %1</source>
        <translation>keine adapter_model.safetensors in %1</translation>
    </message>
    <message>
        <source>name the folder that holds adapter_config.json</source>
        <translation>nenne den Ordner, in dem adapter_config.json liegt</translation>
    </message>
    <message>
        <source>name a folder as peft or a run writes it</source>
        <translation>nenne einen Ordner, wie peft oder ein Lauf ihn schreibt</translation>
    </message>
    <message>
        <source>save it again with safe_serialization</source>
        <translation>speichere ihn neu mit safe_serialization</translation>
    </message>
    <message>
        <source>name a whole adapter</source>
        <translation>nenne einen vollständigen Adapter</translation>
    </message>
    <message>
        <source>has no effect beside %1</source>
        <translation>hat neben %1 keine Wirkung</translation>
    </message>
    <message>
        <source>no adapter is trained with finetuning_type full</source>
        <translation>mit finetuning_type full wird kein Adapter trainiert</translation>
    </message>
    <message>
        <source>finetuning_type: lora, or roadtune merge and the merged model</source>
        <translation>finetuning_type: lora, oder roadtune merge und das verschmolzene Modell</translation>
    </message>
    <message>
        <source>one folder</source>
        <translation>ein Ordner</translation>
    </message>
    <message>
        <source>names %1; a run starts from one</source>
        <translation>nennt %1; ein Lauf beginnt mit einem</translation>
    </message>
    <message>
        <source>training goes on with the adapter itself, which is not merged first</source>
        <translation>trainiert wird der Adapter selbst, der nicht vorher verschmolzen wird</translation>
    </message>
    <message>
        <source>no adapters are on the embedding</source>
        <translation>auf dem Embedding liegen keine Adapter</translation>
    </message>
    <message>
        <source>%1 processes do not go into %2 machines</source>
        <translation>%1 Prozesse gehen nicht auf %2 Rechner auf</translation>
    </message>
    <message>
        <source>nproc_per_node: processes on each machine</source>
        <translation>nproc_per_node: Prozesse auf jedem Rechner</translation>
    </message>
    <message>
        <source>averages are made of float32 weights, which pure_bf16 does without</source>
        <translation>gemittelt werden Gewichte in float32, die es mit pure_bf16 nicht gibt</translation>
    </message>
    <message>
        <source>bf16: true in place of pure_bf16, or no ema_decay</source>
        <translation>bf16: true statt pure_bf16, oder kein ema_decay</translation>
    </message>
    <message>
        <source>neither tokenizer.json nor tokenizer.model in %1</source>
        <translation>weder tokenizer.json noch tokenizer.model in %1</translation>
    </message>
    <message>
        <source>name a folder with one of them, or leave it out for the model&apos;s own</source>
        <translation>nenne einen Ordner mit einer davon, oder lass es weg: dann gilt der des Modells</translation>
    </message>
    <message>
        <source>a query needs an index; this is a JSONL file</source>
        <translation>eine Abfrage braucht einen Index; das ist eine JSONL-Datei</translation>
    </message>
    <message>
        <source>import it with `roadtune data index`, or remove the query</source>
        <translation>importiere sie mit `roadtune data index`, oder lass die Abfrage weg</translation>
    </message>
    <message>
        <source>lr_end, %1, must be below the learning rate of %2</source>
        <translation>lr_end, %1, muss unter der Lernrate von %2 liegen</translation>
    </message>
    <message>
        <source>a rate of 0 trains nothing</source>
        <translation>eine Rate von 0 trainiert nichts</translation>
    </message>
    <message>
        <source>%1: a learning_rate of 0 trains nothing</source>
        <translation>%1: eine learning_rate von 0 trainiert nichts</translation>
    </message>
    <message>
        <source>is not one of its words</source>
        <translation>ist keines seiner Wörter</translation>
    </message>
    <message>
        <source>random or sequential</source>
        <translation>random oder sequential</translation>
    </message>
    <message>
        <source>no weights are kept in 8 bits</source>
        <translation>keine Gewichte werden in 8 Bit gehalten</translation>
    </message>
    <message>
        <source>the program reads %1</source>
        <translation>das Programm liest %1</translation>
    </message>
    <message>
        <source>name files or an index of the same samples as train_data</source>
        <translation>nenne Dateien oder einen Index mit denselben Beispielen als train_data</translation>
    </message>
    <message>
        <source>the program holds samples back: %1</source>
        <translation>das Programm hält Beispiele zurück: %1</translation>
    </message>
    <message>
        <source>prompts and answers are put together by the program: %1</source>
        <translation>Fragen und Antworten setzt das Programm zusammen: %1</translation>
    </message>
    <message>
        <source>see that task and prompt_template make the same of your samples</source>
        <translation>achte darauf, dass task und prompt_template dasselbe aus deinen Beispielen machen</translation>
    </message>
</context>
<context>
    <name>Proof</name>
    <message>
        <source>Longest samples</source>
        <translation>Längste Beispiele</translation>
    </message>
    <message>
        <source>Training step</source>
        <translation>Trainingsschritt</translation>
    </message>
    <message>
        <source>Pace</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <source>Evaluation</source>
        <translation>Auswertung</translation>
    </message>
    <message>
        <source>Predictions</source>
        <translation>Vorhersagen</translation>
    </message>
    <message>
        <source>Checkpoint</source>
        <translation>Checkpoint</translation>
    </message>
    <message>
        <source>The whole run</source>
        <translation>Der ganze Lauf</translation>
    </message>
    <message>
        <source>sample</source>
        <translation>Beispiel</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>Tokens</translation>
    </message>
    <message>
        <source>samples looked at</source>
        <translation>angesehene Beispiele</translation>
    </message>
    <message>
        <source>too long, left out</source>
        <translation>zu lang, ausgelassen</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>Verlust</translation>
    </message>
    <message>
        <source>gradient norm</source>
        <translation>Gradientennorm</translation>
    </message>
    <message>
        <source>trained tensors</source>
        <translation>trainierte Tensoren</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>a step</source>
        <translation>ein Schritt</translation>
    </message>
    <message>
        <source>throughput</source>
        <translation>Durchsatz</translation>
    </message>
    <message>
        <source>samples</source>
        <translation>Beispiele</translation>
    </message>
    <message>
        <source>size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>written in</source>
        <translation>geschrieben in</translation>
    </message>
    <message>
        <source>read back in</source>
        <translation>zurückgelesen in</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>checkpoints kept</source>
        <translation>aufgehobene Checkpoints</translation>
    </message>
    <message>
        <source>disk</source>
        <translation>Platte</translation>
    </message>
</context>
<context>
    <name>Quantity</name>
    <message>
        <source>frozen weights</source>
        <translation>eingefrorene Gewichte</translation>
    </message>
    <message>
        <source>4-bit weights</source>
        <translation>4-Bit-Gewichte</translation>
    </message>
    <message>
        <source>4-bit constants</source>
        <translation>4-Bit-Konstanten</translation>
    </message>
    <message>
        <source>trained weights</source>
        <translation>trainierte Gewichte</translation>
    </message>
    <message>
        <source>adapters</source>
        <translation>Adapter</translation>
    </message>
    <message>
        <source>gradients</source>
        <translation>Gradienten</translation>
    </message>
    <message>
        <source>optimizer (%1)</source>
        <translation>Optimierer (%1)</translation>
    </message>
    <message>
        <source>gathered: embeddings, projector</source>
        <translation>gesammelt: Einbettungen, Projektor</translation>
    </message>
    <message>
        <source>gathered: blocks in work</source>
        <translation>gesammelt: Blöcke in Arbeit</translation>
    </message>
    <message>
        <source>gradients of the ends on their way</source>
        <translation>Gradienten der Enden unterwegs</translation>
    </message>
    <message>
        <source>16-bit copies of trained weights</source>
        <translation>16-Bit-Kopien trainierter Gewichte</translation>
    </message>
    <message>
        <source>activations, vision tower</source>
        <translation>Aktivierungen, Bildturm</translation>
    </message>
    <message>
        <source>activations, language model</source>
        <translation>Aktivierungen, Sprachmodell</translation>
    </message>
    <message>
        <source>embeddings, masks, pictures</source>
        <translation>Einbettungen, Masken, Bilder</translation>
    </message>
    <message>
        <source>logits and their gradient</source>
        <translation>Logits und ihr Gradient</translation>
    </message>
    <message>
        <source>CUDA and its libraries</source>
        <translation>CUDA und seine Bibliotheken</translation>
    </message>
    <message>
        <source>backward pass of one block</source>
        <translation>Rückwärtsrechnung eines Blocks</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Verlust</translation>
    </message>
    <message>
        <source>Evaluation loss</source>
        <translation>Verlust der Auswertung</translation>
    </message>
    <message>
        <source>Samples per second</source>
        <translation>Beispiele je Sekunde</translation>
    </message>
    <message>
        <source>Tokens per second</source>
        <translation>Tokens je Sekunde</translation>
    </message>
    <message>
        <source>Gradient norm</source>
        <translation>Gradientennorm</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>Lernrate</translation>
    </message>
    <message>
        <source>Seconds per step</source>
        <translation>Sekunden je Schritt</translation>
    </message>
    <message>
        <source>Memory of the trainer, bytes</source>
        <translation>Speicher des Trainers, Bytes</translation>
    </message>
    <message>
        <source>Waiting for data, seconds</source>
        <translation>Warten auf Daten, Sekunden</translation>
    </message>
    <message>
        <source>Decoding, seconds</source>
        <translation>Dekodieren, Sekunden</translation>
    </message>
    <message>
        <source>Forward, seconds</source>
        <translation>Vorwärts, Sekunden</translation>
    </message>
    <message>
        <source>Backward, seconds</source>
        <translation>Rückwärts, Sekunden</translation>
    </message>
    <message>
        <source>Communication, seconds</source>
        <translation>Kommunikation, Sekunden</translation>
    </message>
    <message>
        <source>Optimizer, seconds</source>
        <translation>Optimierer, Sekunden</translation>
    </message>
    <message>
        <source>Other, seconds</source>
        <translation>Übriges, Sekunden</translation>
    </message>
    <message>
        <source>Model FLOPs utilisation, percent</source>
        <translation>Genutzte Rechenleistung (MFU), Prozent</translation>
    </message>
    <message>
        <source>TFLOP per second</source>
        <translation>TFLOP je Sekunde</translation>
    </message>
    <message>
        <source>Gradient norm of the vision tower</source>
        <translation>Gradientennorm des Bildturms</translation>
    </message>
    <message>
        <source>Gradient norm of the projector</source>
        <translation>Gradientennorm des Projektors</translation>
    </message>
    <message>
        <source>Gradient norm of the language model</source>
        <translation>Gradientennorm des Sprachmodells</translation>
    </message>
    <message>
        <source>Reading, seconds</source>
        <translation>Lesen, Sekunden</translation>
    </message>
    <message>
        <source>Tokenising, seconds</source>
        <translation>Tokenisieren, Sekunden</translation>
    </message>
    <message>
        <source>Copying to the device, seconds</source>
        <translation>Kopieren auf das Gerät, Sekunden</translation>
    </message>
    <message>
        <source>kept vision features</source>
        <translation>aufgehobene Merkmale des Bild-Encoders</translation>
    </message>
    <message>
        <source>averaged weights</source>
        <translation>gemittelte Gewichte</translation>
    </message>
</context>
<context>
    <name>QueryError</name>
    <message>
        <source>there is no field &apos;%1&apos;</source>
        <translation>es gibt kein Feld &apos;%1&apos;</translation>
    </message>
    <message>
        <source>boxes have no field &apos;%1&apos;</source>
        <translation>Boxen haben kein Feld &apos;%1&apos;</translation>
    </message>
    <message>
        <source>there is no class &apos;%1&apos;</source>
        <translation>es gibt keine Klasse &apos;%1&apos;</translation>
    </message>
    <message>
        <source>there is no camera &apos;%1&apos;</source>
        <translation>es gibt keine Kamera &apos;%1&apos;</translation>
    </message>
    <message>
        <source>there is no run &apos;%1&apos;; give its name, or its folder</source>
        <translation>es gibt keinen Lauf &apos;%1&apos;; nenne seinen Namen oder seinen Ordner</translation>
    </message>
    <message>
        <source>&apos;%1&apos;: the run has no losses of samples; record_sample_losses: true keeps them</source>
        <translation>&apos;%1&apos;: der Lauf hat keine Verluste von Beispielen; record_sample_losses: true hebt sie auf</translation>
    </message>
    <message>
        <source>there is no &apos;%1(...)&apos;</source>
        <translation>&apos;%1(...)&apos; gibt es nicht</translation>
    </message>
    <message>
        <source>nothing here is called &apos;%1&apos;</source>
        <translation>nichts heißt hier &apos;%1&apos;</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is neither true nor false</source>
        <translation>&apos;%1&apos; ist weder true noch false</translation>
    </message>
    <message>
        <source>percent only fits x, y, w, h and area</source>
        <translation>Prozent passt nur zu x, y, w, h und area</translation>
    </message>
    <message>
        <source>percent only fits boxes: x, y, w, h and area</source>
        <translation>Prozent passt nur zu Boxen: x, y, w, h und area</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is no level; there are 1 and 2</source>
        <translation>&apos;%1&apos; ist keine Stufe; es gibt 1 und 2</translation>
    </message>
    <message>
        <source>remove it</source>
        <translation>entferne es</translation>
    </message>
    <message>
        <source>this text has no closing quote</source>
        <translation>diesem Text fehlt das schließende Anführungszeichen</translation>
    </message>
    <message>
        <source>&apos;%1&apos; has no meaning here</source>
        <translation>&apos;%1&apos; bedeutet hier nichts</translation>
    </message>
    <message>
        <source>this parenthesis closes nothing</source>
        <translation>diese Klammer schließt nichts</translation>
    </message>
    <message>
        <source>&apos;%1&apos; stands once, sort by before limit, and both at the end</source>
        <translation>„%1“ steht nur einmal, sort by vor limit, und beide am Ende</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not expected here</source>
        <translation>&apos;%1&apos; ist hier nicht zu erwarten</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is missing here</source>
        <translation>&apos;%1&apos; fehlt hier</translation>
    </message>
    <message>
        <source>parentheses are nested too deeply</source>
        <translation>zu viele Klammern ineinander</translation>
    </message>
    <message>
        <source>a condition is expected here</source>
        <translation>hier wird eine Bedingung erwartet</translation>
    </message>
    <message>
        <source>the name of a tag is expected here</source>
        <translation>hier wird der Name eines Schlagworts erwartet</translation>
    </message>
    <message>
        <source>a run is expected here: its name, or its folder</source>
        <translation>hier wird ein Lauf erwartet: sein Name oder sein Ordner</translation>
    </message>
    <message>
        <source>%1(...) is a number; compare it</source>
        <translation>%1(...) ist eine Zahl; vergleiche sie</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is no number</source>
        <translation>&apos;%1&apos; ist keine Zahl</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a number</source>
        <translation>&apos;%1&apos; ist keine Zahl</translation>
    </message>
    <message>
        <source>&apos;%1(...)&apos; is no number</source>
        <translation>&apos;%1(...)&apos; ist keine Zahl</translation>
    </message>
    <message>
        <source>a class or a condition on boxes is expected here</source>
        <translation>hier wird eine Klasse oder eine Bedingung an Boxen erwartet</translation>
    </message>
    <message>
        <source>compare &apos;%1&apos; with something</source>
        <translation>vergleiche &apos;%1&apos; mit etwas</translation>
    </message>
    <message>
        <source>a comparison is expected after &apos;%1&apos;</source>
        <translation>nach &apos;%1&apos; wird ein Vergleich erwartet</translation>
    </message>
    <message>
        <source>&apos;%1&apos; has no order</source>
        <translation>&apos;%1&apos; hat keine Reihenfolge</translation>
    </message>
    <message>
        <source>a value is expected here</source>
        <translation>hier wird ein Wert erwartet</translation>
    </message>
    <message>
        <source>&apos;by&apos; is missing after &apos;sort&apos;</source>
        <translation>nach &apos;sort&apos; fehlt &apos;by&apos;</translation>
    </message>
    <message>
        <source>images cannot be sorted by %1</source>
        <translation>nach %1 lassen sich Bilder nicht ordnen</translation>
    </message>
    <message>
        <source>a whole number of at least 1 is expected after &apos;limit&apos;</source>
        <translation>nach &apos;limit&apos; wird eine ganze Zahl ab 1 erwartet</translation>
    </message>
    <message>
        <source>&apos;%1&apos;: the run has no losses of samples yet; they come with its first steps</source>
        <translation>&apos;%1&apos;: der Lauf hat noch keine Verluste von Beispielen; sie kommen mit seinen ersten Schritten</translation>
    </message>
    <message>
        <source>&apos;%1&apos;: the run&apos;s losses of samples lie on %2 and are not here yet; `roadtune attach %3` brings them</source>
        <translation>&apos;%1&apos;: die Verluste der Beispiele liegen auf %2 und sind noch nicht hier; `roadtune attach %3` bringt sie</translation>
    </message>
</context>
<context>
    <name>QueryHelp</name>
    <message>
        <source>Conditions, joined by and, or, not and ( )</source>
        <translation>Bedingungen, verbunden mit and, or, not und ( )</translation>
    </message>
    <message>
        <source>One of several values</source>
        <translation>Einer von mehreren Werten</translation>
    </message>
    <message>
        <source>* stands for any letters</source>
        <translation>* steht für beliebige Zeichen</translation>
    </message>
    <message>
        <source>How many boxes an image has; = != &lt; &lt;= &gt; &gt;=</source>
        <translation>Wie viele Boxen ein Bild hat; = != &lt; &lt;= &gt; &gt;=</translation>
    </message>
    <message>
        <source>How many of one class</source>
        <translation>Wie viele von einer Klasse</translation>
    </message>
    <message>
        <source>One box meets all of it; also all(…) and none(…)</source>
        <translation>Eine Box erfüllt alles; auch all(…) und none(…)</translation>
    </message>
    <message>
        <source>Over boxes: min, max, avg, sum; % of the image</source>
        <translation>Über Boxen: min, max, avg, sum; % des Bildes</translation>
    </message>
    <message>
        <source>Has that tag, and a note</source>
        <translation>Hat dieses Schlagwort und eine Notiz</translation>
    </message>
    <message>
        <source>Nobody drew boxes there</source>
        <translation>Dort hat niemand Boxen gezeichnet</translation>
    </message>
    <message>
        <source>What an image cost a run</source>
        <translation>Was ein Bild einen Lauf gekostet hat</translation>
    </message>
    <message>
        <source>Order and number, at the end</source>
        <translation>Reihenfolge und Anzahl, am Ende</translation>
    </message>
</context>
<context>
    <name>QueueText</name>
    <message>
        <source>comes after job %1, which is waiting</source>
        <translation>kommt nach Lauf %1, der wartet</translation>
    </message>
    <message>
        <source>comes after job %1, which is running</source>
        <translation>kommt nach Lauf %1, der noch läuft</translation>
    </message>
    <message>
        <source>comes after job %1, which has stopped</source>
        <translation>kommt nach Lauf %1, der angehalten wurde</translation>
    </message>
    <message>
        <source>comes after job %1, which has failed</source>
        <translation>kommt nach Lauf %1, der gescheitert ist</translation>
    </message>
    <message>
        <source>is tried again in %1</source>
        <translation>wird in %1 noch einmal versucht</translation>
    </message>
    <message>
        <source>this machine is for job %1</source>
        <translation>dieser Rechner ist für Lauf %1</translation>
    </message>
    <message>
        <source>%1 is for job %2</source>
        <translation>%1 ist für Lauf %2</translation>
    </message>
    <message>
        <source>waits for %1, which cannot be reached and may still run it</source>
        <translation>wartet auf %1: nicht erreichbar, und der Lauf könnte dort noch leben</translation>
    </message>
    <message>
        <source>waits for %1: %2</source>
        <translation>wartet auf %1: %2</translation>
    </message>
    <message>
        <source>starting</source>
        <translation>startet</translation>
    </message>
    <message>
        <source>starting: copying torch, %1 of %2</source>
        <translation>startet: kopiert torch, %1 von %2</translation>
    </message>
    <message>
        <source>comparing model and data</source>
        <translation>vergleicht Modell und Daten</translation>
    </message>
    <message>
        <source>copying model and data: %1 of %2</source>
        <translation>kopiert Modell und Daten: %1 von %2</translation>
    </message>
    <message>
        <source>goes on with the queue</source>
        <translation>geht mit der Warteschlange weiter</translation>
    </message>
    <message>
        <source>model and data could not be copied: %1</source>
        <translation>Modell und Daten konnten nicht kopiert werden: %1</translation>
    </message>
    <message>
        <source>asks for whether %1 is the right machine</source>
        <translation>fragt, ob %1 der richtige Rechner ist</translation>
    </message>
    <message>
        <source>asks for the passphrase of %1</source>
        <translation>fragt nach der Passphrase von %1</translation>
    </message>
    <message>
        <source>asks for the password of %1</source>
        <translation>fragt nach dem Passwort von %1</translation>
    </message>
    <message>
        <source>asks for what %1 asks</source>
        <translation>fragt, was %1 fragt</translation>
    </message>
    <message>
        <source>roadtune queue answer, or the studio, takes the answer</source>
        <translation>roadtune queue answer oder das Studio nimmt die Antwort an</translation>
    </message>
    <message>
        <source>%1 cannot be reached, and what came of the run there is not known</source>
        <translation>%1 ist nicht erreichbar, und was dort aus dem Lauf wurde, ist nicht bekannt</translation>
    </message>
</context>
<context>
    <name>RunEvents</name>
    <message>
        <source>try: %1</source>
        <translation>versuche: %1</translation>
    </message>
    <message>
        <source>took %1</source>
        <translation>dauerte %1</translation>
    </message>
    <message>
        <source>going on</source>
        <translation>im Gang</translation>
    </message>
    <message>
        <source>removed since</source>
        <translation>seither entfernt</translation>
    </message>
    <message>
        <source>incomplete</source>
        <translation>unvollständig</translation>
    </message>
    <message>
        <source>checkpoint</source>
        <translation>Checkpoint</translation>
    </message>
    <message>
        <source>error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>note</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>trained for %1</source>
        <translation>trainierte %1</translation>
    </message>
    <message>
        <source>As intended</source>
        <translation>Wie beabsichtigt</translation>
    </message>
    <message>
        <source>Not as intended</source>
        <translation>Nicht wie beabsichtigt</translation>
    </message>
    <message>
        <source>Exactly what was to be trained changed in the first step.</source>
        <translation>Im ersten Schritt änderte sich genau, was trainiert werden sollte.</translation>
    </message>
    <message>
        <source>What changed in the first step differs from what was asked.</source>
        <translation>Was sich im ersten Schritt änderte, weicht vom Verlangten ab.</translation>
    </message>
    <message>
        <source>Mismatch</source>
        <translation>Abweichung</translation>
    </message>
    <message>
        <source>Updated</source>
        <translation>Geändert</translation>
    </message>
    <message>
        <source>not set</source>
        <translation>nicht gesetzt</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>fertig</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>angehalten</translation>
    </message>
    <message>
        <source>diverged</source>
        <translation>entgleist</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>gescheitert</translation>
    </message>
    <message>
        <source>lost</source>
        <translation>verloren</translation>
    </message>
    <message>
        <source>on %1</source>
        <translation>auf %1</translation>
    </message>
</context>
<context>
    <name>RunHistory</name>
    <message>
        <source>Marks of a run</source>
        <translation>Markierungen eines Laufs</translation>
    </message>
    <message>
        <source>%1 to the trash</source>
        <translation>%1 in den Papierkorb</translation>
    </message>
</context>
<context>
    <name>RunMenu</name>
    <message>
        <source>Blue</source>
        <translation>Blau</translation>
    </message>
    <message>
        <source>Orange</source>
        <translation>Orange</translation>
    </message>
    <message>
        <source>Green</source>
        <translation>Grün</translation>
    </message>
    <message>
        <source>Pink</source>
        <translation>Rosa</translation>
    </message>
    <message>
        <source>Light blue</source>
        <translation>Hellblau</translation>
    </message>
    <message>
        <source>Vermilion</source>
        <translation>Zinnober</translation>
    </message>
    <message>
        <source>Grey</source>
        <translation>Grau</translation>
    </message>
    <message>
        <source>Colour</source>
        <translation>Farbe</translation>
    </message>
    <message>
        <source>As it comes</source>
        <translation>Wie es kommt</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>Schlagwörter</translation>
    </message>
    <message>
        <source>New tag…</source>
        <translation>Neues Schlagwort…</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>Lösen</translation>
    </message>
    <message>
        <source>Pin to the top</source>
        <translation>Oben anheften</translation>
    </message>
    <message>
        <source>Write a report…</source>
        <translation>Bericht schreiben…</translation>
    </message>
    <message>
        <source>Merge adapters…</source>
        <translation>Adapter verschmelzen…</translation>
    </message>
    <message>
        <source>Predict…</source>
        <translation>Vorhersagen…</translation>
    </message>
</context>
<context>
    <name>RunOrder</name>
    <message>
        <source>Newest first</source>
        <translation>Neueste zuerst</translation>
    </message>
    <message>
        <source>By name</source>
        <translation>Nach Name</translation>
    </message>
    <message>
        <source>Lowest loss first</source>
        <translation>Kleinster Verlust zuerst</translation>
    </message>
    <message>
        <source>By state</source>
        <translation>Nach Zustand</translation>
    </message>
    <message>
        <source>Lowest evaluation loss first</source>
        <translation>Kleinster Verlust der Auswertung zuerst</translation>
    </message>
</context>
<context>
    <name>RunState</name>
    <message>
        <source>not started</source>
        <translation>nicht gestartet</translation>
    </message>
    <message>
        <source>running</source>
        <translation>läuft</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>fertig</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>angehalten</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>gescheitert</translation>
    </message>
    <message>
        <source>no sign of life</source>
        <translation>kein Lebenszeichen</translation>
    </message>
    <message>
        <source>as of %1</source>
        <translation>Stand %1</translation>
    </message>
    <message>
        <source>as of %1, %2</source>
        <translation>Stand %1, %2</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>pausiert</translation>
    </message>
</context>
<context>
    <name>Schema</name>
    <message>
        <source>Folder of the base model in the Hugging Face layout.</source>
        <translation>Ordner des Grundmodells im Aufbau von Hugging Face.</translation>
    </message>
    <message>
        <source>Folder of the tokenizer, when it is not the model&apos;s own.</source>
        <translation>Ordner des Tokenizers, wenn es nicht der des Modells ist.</translation>
    </message>
    <message>
        <source>Whose arithmetic to reproduce: releases of transformers differ in soft caps and attention of PaliGemma 2.</source>
        <translation>Wessen Rechenweise nachgebildet wird: Ausgaben von transformers unterscheiden sich bei PaliGemma 2 in Begrenzungen und Attention.</translation>
    </message>
    <message>
        <source>Type of the base weights in memory; `auto` keeps what the files hold. Trained weights have float32 masters.</source>
        <translation>Zahlentyp der Grundgewichte im Speicher; `auto` behält den der Dateien. Trainierte Gewichte haben Vorlagen in float32.</translation>
    </message>
    <message>
        <source>What to learn from: an index, JSONL, COCO or VQA parquet; one path, or a list of {path, weight, query, task, images}.</source>
        <translation>Woraus gelernt wird: ein Index, JSONL, COCO oder VQA-Parquet; ein Pfad oder eine Liste von {path, weight, query, task, images}.</translation>
    </message>
    <message>
        <source>What to evaluate on, in the same forms.</source>
        <translation>Woran gemessen wird, in denselben Formen.</translation>
    </message>
    <message>
        <source>Without eval_data: hold out this share of the training data, by whole segments (of other data: by pictures).</source>
        <translation>Ohne eval_data: diesen Anteil der Trainingsdaten zurückhalten, in ganzen Segmenten (bei anderen Daten in Bildern).</translation>
    </message>
    <message>
        <source>Filter of indexes in train_data that name no query of their own.</source>
        <translation>Filter für Indexe in train_data, die keine eigene Abfrage nennen.</translation>
    </message>
    <message>
        <source>Filter of indexes in eval_data that name no query of their own.</source>
        <translation>Filter für Indexe in eval_data, die keine eigene Abfrage nennen.</translation>
    </message>
    <message>
        <source>Learn from no more than this many samples: the first ones, of each source of a mix as large a share.</source>
        <translation>Aus höchstens so vielen Beispielen lernen: den ersten, von jeder Quelle einer Mischung zu gleichem Anteil.</translation>
    </message>
    <message>
        <source>Evaluate on no more than this many samples, taken likewise.</source>
        <translation>An höchstens so vielen Beispielen messen, ebenso ausgewählt.</translation>
    </message>
    <message>
        <source>Draw samples in a new order each epoch; false keeps the order of the file.</source>
        <translation>In jeder Epoche neu mischen; false behält die Reihenfolge der Datei.</translation>
    </message>
    <message>
        <source>What a sample that cannot be read does: it is left out, counted and named, or it stops the run.</source>
        <translation>Was ein unlesbares Beispiel bewirkt: Es wird ausgelassen, gezählt und genannt, oder es hält den Lauf an.</translation>
    </message>
    <message>
        <source>What an index asks for; sources with their own text ignore it.</source>
        <translation>Wonach ein Index fragt; Quellen mit eigenem Text beachten es nicht.</translation>
    </message>
    <message>
        <source>Order of the boxes in the answer; `shuffle` is a new order each epoch.</source>
        <translation>Reihenfolge der Boxen in der Antwort; `shuffle` würfelt sie in jeder Epoche neu.</translation>
    </message>
    <message>
        <source>Boxes with a shorter side below this are left out of the answer.</source>
        <translation>Boxen mit kürzerer Seite bleiben aus der Antwort weg.</translation>
    </message>
    <message>
        <source>At most this many boxes per image, the largest ones; 0 is all.</source>
        <translation>Höchstens so viele Boxen je Bild, die größten; 0 sind alle.</translation>
    </message>
    <message>
        <source>Keep labelled images without a wanted box: their answer is empty.</source>
        <translation>Beschriftete Bilder ohne gesuchte Box behalten: Ihre Antwort ist leer.</translation>
    </message>
    <message>
        <source>Divisor that turns &lt;loc&gt; tokens back into coordinates: 1023 mirrors the encoding, 1024 is what some decoders use.</source>
        <translation>Teiler, der &lt;loc&gt;-Token in Koordinaten zurückrechnet: 1023 spiegelt die Kodierung, 1024 benutzen manche Dekoder.</translation>
    </message>
    <message>
        <source>Longest sequence, image tokens included; longer ones follow on_long_sample.</source>
        <translation>Längste Folge samt Bild-Token; was länger ist, richtet sich nach on_long_sample.</translation>
    </message>
    <message>
        <source>A sample beyond max_length: its answer is cut before &lt;eos&gt;, it is left out, or it stops the run; always counted.</source>
        <translation>Ein Beispiel über max_length: Die Antwort wird vor &lt;eos&gt; gekürzt, es wird ausgelassen, oder es hält den Lauf an; gezählt wird es immer.</translation>
    </message>
    <message>
        <source>Side of the model&apos;s square input.</source>
        <translation>Seite der quadratischen Eingabe des Modells.</translation>
    </message>
    <message>
        <source>How images become square; the same arithmetic as Pillow.</source>
        <translation>Wie Bilder quadratisch werden; gerechnet wird wie in Pillow.</translation>
    </message>
    <message>
        <source>Change training images at random, moving boxes and answers along; seeded per sample.</source>
        <translation>Trainingsbilder zufällig verändern und Boxen und Antworten mitnehmen; je Beispiel wiederholbar.</translation>
    </message>
    <message>
        <source>Probability of a mirror image.</source>
        <translation>Wahrscheinlichkeit eines Spiegelbilds.</translation>
    </message>
    <message>
        <source>Largest share of width and height that a crop takes away.</source>
        <translation>Größter Anteil von Breite und Höhe, den ein Ausschnitt wegnimmt.</translation>
    </message>
    <message>
        <source>Largest share by which the picture is enlarged or shrunk.</source>
        <translation>Größter Anteil, um den das Bild vergrößert oder verkleinert wird.</translation>
    </message>
    <message>
        <source>Strength of random brightness, contrast and saturation.</source>
        <translation>Stärke zufälliger Helligkeit, Kontraste und Sättigung.</translation>
    </message>
    <message>
        <source>Keep decoded images at model size: in the memory of each process, or on disk for all epochs, processes and runs. Augmented images are always made anew.</source>
        <translation>Dekodierte Bilder in Modellgröße aufheben: im Speicher jedes Prozesses oder auf der Platte für alle Epochen, Prozesse und Läufe. Veränderte Bilder werden immer neu gemacht.</translation>
    </message>
    <message>
        <source>Folder of the disk cache.</source>
        <translation>Ordner des Zwischenspeichers auf der Platte.</translation>
    </message>
    <message>
        <source>Size of the cache; when not set 4 in memory, 100 on disk.</source>
        <translation>Größe des Zwischenspeichers; ohne Angabe 4 im Arbeitsspeicher, 100 auf der Platte.</translation>
    </message>
    <message>
        <source>Evaluation samples whose predictions are kept at every evaluation.</source>
        <translation>Beispiele der Auswertung, deren Vorhersagen bei jeder Auswertung aufgehoben werden.</translation>
    </message>
    <message>
        <source>Train the weights themselves, low-rank adapters, or adapters on weights kept in 4 bits.</source>
        <translation>Die Gewichte selbst trainieren, Adapter niedrigen Rangs, oder Adapter auf Gewichten in 4 Bit.</translation>
    </message>
    <message>
        <source>Leave the image encoder&apos;s own weights as they are; adapters go where target_modules says.</source>
        <translation>Die Gewichte des Bild-Encoders lassen, wie sie sind; Adapter kommen dorthin, wo target_modules sie nennt.</translation>
    </message>
    <message>
        <source>Leave the projector between image and text as it is.</source>
        <translation>Den Projektor zwischen Bild und Text lassen, wie er ist.</translation>
    </message>
    <message>
        <source>Leave the text model as it is.</source>
        <translation>Das Sprachmodell lassen, wie es ist.</translation>
    </message>
    <message>
        <source>Rank of the adapters.</source>
        <translation>Rang der Adapter.</translation>
    </message>
    <message>
        <source>Scale of the adapters: their output is multiplied by lora_alpha / r.</source>
        <translation>Gewicht der Adapter: Ihre Ausgabe wird mit lora_alpha / r malgenommen.</translation>
    </message>
    <message>
        <source>Dropout on the input of the adapters.</source>
        <translation>Dropout auf der Eingabe der Adapter.</translation>
    </message>
    <message>
        <source>Linear layers that get an adapter: a list of name endings, `all-linear`, or one regular expression for the whole name. Endings such as q_proj also match the vision tower; exclude_modules keeps them off.</source>
        <translation>Lineare Schichten, die einen Adapter bekommen: eine Liste von Namensenden, `all-linear` oder ein regulärer Ausdruck für den ganzen Namen. Enden wie q_proj treffen auch den Bild-Encoder; exclude_modules hält sie fern.</translation>
    </message>
    <message>
        <source>Layers that get none although target_modules names them.</source>
        <translation>Schichten, die keinen bekommen, obwohl target_modules sie nennt.</translation>
    </message>
    <message>
        <source>Only the layers with these numbers, from 0.</source>
        <translation>Nur die Schichten mit diesen Nummern, ab 0.</translation>
    </message>
    <message>
        <source>Name of the list of layers that layers_to_transform counts in.</source>
        <translation>Name der Schichtliste, in der layers_to_transform zählt.</translation>
    </message>
    <message>
        <source>Rank by layer name or regular expression, instead of r.</source>
        <translation>Rang je Schichtname oder regulärem Ausdruck, statt r.</translation>
    </message>
    <message>
        <source>Scale by layer name or regular expression, instead of lora_alpha.</source>
        <translation>Gewicht je Schichtname oder regulärem Ausdruck, statt lora_alpha.</translation>
    </message>
    <message>
        <source>Modules that are trained in full beside the adapters, and saved with them.</source>
        <translation>Module, die neben den Adaptern voll trainiert und mit ihnen gespeichert werden.</translation>
    </message>
    <message>
        <source>Which biases of the base model are trained.</source>
        <translation>Welche Biases des Grundmodells trainiert werden.</translation>
    </message>
    <message>
        <source>Give the second matrix of each adapter a bias of its own.</source>
        <translation>Der zweiten Matrix jedes Adapters einen eigenen Bias geben.</translation>
    </message>
    <message>
        <source>Scale by lora_alpha / sqrt(r) instead of lora_alpha / r.</source>
        <translation>Mit lora_alpha / sqrt(r) gewichten statt mit lora_alpha / r.</translation>
    </message>
    <message>
        <source>Learn the length of each weight row apart from its direction (DoRA).</source>
        <translation>Die Länge jeder Gewichtszeile getrennt von ihrer Richtung lernen (DoRA).</translation>
    </message>
    <message>
        <source>First values: `true` (uniform), `gaussian` and `orthogonal` leave the model as it is at first, `false` draws both matrices at random.</source>
        <translation>Anfangswerte: `true` (gleichverteilt), `gaussian` und `orthogonal` lassen das Modell anfangs, wie es ist; `false` würfelt beide Matrizen.</translation>
    </message>
    <message>
        <source>Keep adapters in float32 on a bfloat16 or 4-bit base.</source>
        <translation>Adapter auf bfloat16- oder 4-Bit-Grundlage in float32 halten.</translation>
    </message>
    <message>
        <source>Keep the frozen linear layers in 4 bits; goes together with finetuning_type qlora.</source>
        <translation>Die eingefrorenen linearen Schichten in 4 Bit halten; gehört zu finetuning_type qlora.</translation>
    </message>
    <message>
        <source>Code of the 4 bits; fp4 is not offered.</source>
        <translation>Code der 4 Bit; fp4 wird nicht angeboten.</translation>
    </message>
    <message>
        <source>Keep the scales of the blocks in 8 bits: 0.37 bits less per weight.</source>
        <translation>Die Maßstäbe der Blöcke in 8 Bit halten: 0,37 Bit weniger je Gewicht.</translation>
    </message>
    <message>
        <source>Type of the multiplications with 4-bit weights; bitsandbytes&apos; own default, float32, is slow.</source>
        <translation>Zahlentyp der Multiplikationen mit 4-Bit-Gewichten; die Vorgabe von bitsandbytes, float32, ist langsam.</translation>
    </message>
    <message>
        <source>Linear layers that stay as they are.</source>
        <translation>Lineare Schichten, die bleiben, wie sie sind.</translation>
    </message>
    <message>
        <source>Which linear layers go to 4 bits: `hf` is every one but the head, as transformers does; `language_model` spares the vision tower and the projector.</source>
        <translation>Welche linearen Schichten in 4 Bit kommen: `hf` sind alle außer dem Kopf, wie in transformers; `language_model` verschont Bild-Encoder und Projektor.</translation>
    </message>
    <message>
        <source>Samples per process in one forward pass.</source>
        <translation>Beispiele je Prozess in einem Vorwärtsgang.</translation>
    </message>
    <message>
        <source>Forward passes per optimizer step.</source>
        <translation>Vorwärtsgänge je Schritt des Optimierers.</translation>
    </message>
    <message>
        <source>Times through the training data; max_steps above 0 wins over it.</source>
        <translation>So oft durch die Trainingsdaten; max_steps über 0 geht vor.</translation>
    </message>
    <message>
        <source>Optimizer steps in all; -1 leaves it to num_train_epochs.</source>
        <translation>Schritte des Optimierers insgesamt; -1 überlässt es num_train_epochs.</translation>
    </message>
    <message>
        <source>Decides adapters&apos; first values, data order, dropout and box order.</source>
        <translation>Bestimmt Anfangswerte der Adapter, Datenreihenfolge, Dropout und Boxreihenfolge.</translation>
    </message>
    <message>
        <source>Seed of the data order alone.</source>
        <translation>Startzahl allein für die Datenreihenfolge.</translation>
    </message>
    <message>
        <source>Threads per process that decode and resize ahead; 0 does it in the training thread. When not set half of its cores beside a GPU, 8 at most, and 0 on the CPU. The order never depends on it.</source>
        <translation>Threads je Prozess, die voraus dekodieren und verkleinern; bei 0 tut es der Trainings-Thread. Ohne Angabe die Hälfte seiner Kerne neben einer Grafikkarte, höchstens 8, und 0 auf dem Prozessor. Die Reihenfolge hängt nie davon ab.</translation>
    </message>
    <message>
        <source>Batches that each worker keeps ready; together those of one optimizer step at least.</source>
        <translation>Batches, die jeder Helfer bereithält; zusammen mindestens die eines Optimiererschritts.</translation>
    </message>
    <message>
        <source>Leave out the last batch of a training epoch when it is short; evaluation takes every sample.</source>
        <translation>Den letzten Stapel einer Trainingsepoche auslassen, wenn er kürzer ist; ausgewertet wird auf allen Beispielen.</translation>
    </message>
    <message>
        <source>Hand batches to the GPU from page-locked memory.</source>
        <translation>Batches aus festem Speicher an die GPU geben.</translation>
    </message>
    <message>
        <source>Peak learning rate.</source>
        <translation>Höchste Lernrate.</translation>
    </message>
    <message>
        <source>Learning rate of the vision tower instead of learning_rate.</source>
        <translation>Lernrate des Bild-Encoders statt learning_rate.</translation>
    </message>
    <message>
        <source>Learning rate of the projector instead of learning_rate.</source>
        <translation>Lernrate des Projektors statt learning_rate.</translation>
    </message>
    <message>
        <source>Learning rate of the text model instead of learning_rate.</source>
        <translation>Lernrate des Sprachmodells statt learning_rate.</translation>
    </message>
    <message>
        <source>Learning rate of the token embedding instead of its tower&apos;s.</source>
        <translation>Lernrate der Token-Einbettung statt der ihres Teils.</translation>
    </message>
    <message>
        <source>Optimizer. The first two names mean the same AdamW; adamw_8bit keeps its moments in 8 bits.</source>
        <translation>Optimierer. Die ersten beiden Namen meinen dasselbe AdamW; adamw_8bit hält dessen Momente in 8 Bit.</translation>
    </message>
    <message>
        <source>Decoupled weight decay; norms and biases have none.</source>
        <translation>Entkoppelter Gewichtsverfall; Normen und Biases haben keinen.</translation>
    </message>
    <message>
        <source>Decay of AdamW&apos;s first moment.</source>
        <translation>Abklingen des ersten Moments von AdamW.</translation>
    </message>
    <message>
        <source>Decay of AdamW&apos;s second moment.</source>
        <translation>Abklingen des zweiten Moments von AdamW.</translation>
    </message>
    <message>
        <source>Added to AdamW&apos;s denominator.</source>
        <translation>Kommt in AdamW zum Nenner hinzu.</translation>
    </message>
    <message>
        <source>Gradients are scaled down to this norm; 0 does not clip.</source>
        <translation>Gradienten werden auf diese Norm verkleinert; 0 begrenzt nicht.</translation>
    </message>
    <message>
        <source>Share of the target probability spread over all tokens. Each position is held against the token that follows; transformers 5.23 forgets that here.</source>
        <translation>Anteil der Zielwahrscheinlichkeit, der auf alle Token verteilt wird. Jede Stelle wird mit dem Token verglichen, das folgt; transformers 5.23 vergisst das hier.</translation>
    </message>
    <message>
        <source>Strength of noise on the token embeddings while training (NEFTune).</source>
        <translation>Stärke des Rauschens auf den Token-Einbettungen beim Training (NEFTune).</translation>
    </message>
    <message>
        <source>What a step&apos;s loss is the mean of: all answer tokens of the step, as in Trainer, or the samples&apos; own means.</source>
        <translation>Worüber der Loss eines Schritts gemittelt wird: alle Antwort-Token des Schritts, wie im Trainer, oder die Mittel der einzelnen Beispiele.</translation>
    </message>
    <message>
        <source>Count the answer tokens of all processes for the mean of a step, so that the loss does not depend on the number of processes.</source>
        <translation>Die Antwort-Token aller Prozesse für das Mittel eines Schritts zählen, damit der Loss nicht von ihrer Zahl abhängt.</translation>
    </message>
    <message>
        <source>Also keep an average of the weights with this decay, and save it.</source>
        <translation>Auch einen Mittelwert der Gewichte mit diesem Abklingen führen und speichern.</translation>
    </message>
    <message>
        <source>Course of the learning rate after the warm-up.</source>
        <translation>Verlauf der Lernrate nach dem Anlauf.</translation>
    </message>
    <message>
        <source>More about the course: num_cycles, power, lr_end, min_lr, min_lr_rate, min_lr_ratio, warmup_lr_rate, timescale, num_stable_steps, num_decay_steps, warmup_type and decay_type (linear, cosine, 1-sqrt).</source>
        <translation>Mehr über den Verlauf: num_cycles, power, lr_end, min_lr, min_lr_rate, min_lr_ratio, warmup_lr_rate, timescale, num_stable_steps, num_decay_steps, warmup_type und decay_type (linear, cosine, 1-sqrt).</translation>
    </message>
    <message>
        <source>Steps in which the rate rises from 0; below 1 it is a share of all steps.</source>
        <translation>Schritte, in denen die Rate von 0 ansteigt; unter 1 ein Anteil aller Schritte.</translation>
    </message>
    <message>
        <source>The same as a share of all steps; give one of the two.</source>
        <translation>Dasselbe als Anteil aller Schritte; nur eines der beiden angeben.</translation>
    </message>
    <message>
        <source>Compute in bfloat16; masters and optimizer stay in float32.</source>
        <translation>In bfloat16 rechnen; Vorlagen und Optimierer bleiben in float32.</translation>
    </message>
    <message>
        <source>Compute in float16. Not offered: bf16 needs no loss scaling.</source>
        <translation>In float16 rechnen. Wird nicht angeboten: bf16 braucht keine Loss-Skalierung.</translation>
    </message>
    <message>
        <source>Let float32 multiplications use TF32 on GPUs.</source>
        <translation>float32-Multiplikationen dürfen auf GPUs TF32 benutzen.</translation>
    </message>
    <message>
        <source>Keep one block&apos;s activations at a time and compute them again: less memory, about a third more work.</source>
        <translation>Nur die Zwischenwerte eines Blocks aufheben und neu rechnen: weniger Speicher, etwa ein Drittel mehr Arbeit.</translation>
    </message>
    <message>
        <source>Compute what a frozen vision tower makes of an image once: kept in the memory of each process, or on disk for all epochs, processes and runs with the same tower.</source>
        <translation>Nur einmal rechnen, was ein eingefrorener Bild-Encoder aus einem Bild macht: im Speicher jedes Prozesses aufgehoben oder auf der Platte für alle Epochen, Prozesse und Läufe mit demselben Encoder.</translation>
    </message>
    <message>
        <source>Size of that cache; when not set 16 in memory, 200 on disk.</source>
        <translation>Größe dieses Zwischenspeichers; ohne Angabe 16 im Arbeitsspeicher, 200 auf der Platte.</translation>
    </message>
    <message>
        <source>Only kernels that give the same bits every time, even if slower.</source>
        <translation>Nur Verfahren, die jedes Mal dieselben Bits ergeben, auch wenn sie langsamer sind.</translation>
    </message>
    <message>
        <source>A step whose loss or gradient is not finite: it is not applied, or the run stops at once.</source>
        <translation>Ein Schritt, dessen Loss oder Gradient keine endliche Zahl ist: Er wird nicht angewandt, oder der Lauf hält sofort an.</translation>
    </message>
    <message>
        <source>This many non-finite steps in a row stop the run.</source>
        <translation>So viele solche Schritte hintereinander halten den Lauf an.</translation>
    </message>
    <message>
        <source>A loss that runs away: say so, save and stop, or look away.</source>
        <translation>Ein Loss, der davonläuft: melden, speichern und anhalten, oder wegsehen.</translation>
    </message>
    <message>
        <source>Running away means: the fast average of the loss is this many times the slow one.</source>
        <translation>Davonlaufen heißt: Das schnelle Mittel des Loss ist so viele Male das langsame.</translation>
    </message>
    <message>
        <source>After the first step, compare which weights really changed with what the configuration wants; a mismatch stops the run.</source>
        <translation>Nach dem ersten Schritt vergleichen, welche Gewichte sich wirklich geändert haben und welche es sollten; ein Unterschied hält den Lauf an.</translation>
    </message>
    <message>
        <source>When to evaluate.</source>
        <translation>Wann gemessen wird.</translation>
    </message>
    <message>
        <source>Steps between evaluations; below 1 a share of all steps; when not set as many as logging_steps.</source>
        <translation>Schritte zwischen Auswertungen; unter 1 ein Anteil aller Schritte; ohne Angabe so viele wie logging_steps.</translation>
    </message>
    <message>
        <source>No evaluation before this many steps or epochs.</source>
        <translation>Keine Auswertung vor so vielen Schritten oder Epochen.</translation>
    </message>
    <message>
        <source>Evaluate before the first step too.</source>
        <translation>Auch vor dem ersten Schritt messen.</translation>
    </message>
    <message>
        <source>Samples per process in one pass of an evaluation.</source>
        <translation>Beispiele je Prozess in einem Gang der Auswertung.</translation>
    </message>
    <message>
        <source>Evaluate the loss alone, without predictions.</source>
        <translation>Nur den Loss messen, ohne Vorhersagen.</translation>
    </message>
    <message>
        <source>Longest prediction.</source>
        <translation>Längste Vorhersage.</translation>
    </message>
    <message>
        <source>Which evaluation metric makes a model the best: loss, or AP, AP50, accuracy, malformed of the predictions for the probe samples.</source>
        <translation>Welche Messgröße ein Modell zum besten macht: Loss oder AP, AP50, accuracy, malformed der Vorhersagen für die Probebeispiele.</translation>
    </message>
    <message>
        <source>Is more of that metric better? When not set, not for a loss.</source>
        <translation>Ist mehr von dieser Größe besser? Ohne Angabe: bei einem Loss nicht.</translation>
    </message>
    <message>
        <source>End with the weights of the best evaluation.</source>
        <translation>Mit den Gewichten der besten Auswertung enden.</translation>
    </message>
    <message>
        <source>Evaluations without improvement before the run stops; 0 never.</source>
        <translation>Auswertungen ohne Verbesserung, bevor der Lauf anhält; 0 nie.</translation>
    </message>
    <message>
        <source>An improvement must be larger than this.</source>
        <translation>Eine Verbesserung muss größer sein als das.</translation>
    </message>
    <message>
        <source>Folder of the run: configuration, events, checkpoints.</source>
        <translation>Ordner des Laufs: Konfiguration, Ereignisse, Checkpoints.</translation>
    </message>
    <message>
        <source>Start anew in a folder that already holds a run.</source>
        <translation>In einem Ordner, in dem schon ein Lauf liegt, neu beginnen.</translation>
    </message>
    <message>
        <source>Name of the run in lists and plots.</source>
        <translation>Name des Laufs in Listen und Kurven.</translation>
    </message>
    <message>
        <source>When to log the training loss.</source>
        <translation>Wann der Trainings-Loss festgehalten wird.</translation>
    </message>
    <message>
        <source>Steps between logged values of trainer_state.json and TensorBoard; below 1 a share of all steps. Events keep every step.</source>
        <translation>Schritte zwischen Werten in trainer_state.json und TensorBoard; unter 1 ein Anteil aller Schritte. Die Ereignisse behalten jeden Schritt.</translation>
    </message>
    <message>
        <source>Log the first step too.</source>
        <translation>Auch den ersten Schritt festhalten.</translation>
    </message>
    <message>
        <source>Leave non-finite losses out of the logged mean. Events keep them.</source>
        <translation>Nicht endliche Werte aus dem festgehaltenen Mittel weglassen. Die Ereignisse behalten sie.</translation>
    </message>
    <message>
        <source>When to write a checkpoint; one is always written at the end.</source>
        <translation>Wann ein Checkpoint geschrieben wird; am Ende immer einer.</translation>
    </message>
    <message>
        <source>Steps between checkpoints; below 1 a share of all steps.</source>
        <translation>Schritte zwischen Checkpoints; unter 1 ein Anteil aller Schritte.</translation>
    </message>
    <message>
        <source>Keep at most this many checkpoints; the last always stays, and the best where one is asked for: load_best_model_at_end, metric_for_best_model or save_strategy: best.</source>
        <translation>Höchstens so viele Checkpoints behalten; der letzte bleibt immer, und der beste, wo einer gewünscht ist: load_best_model_at_end, metric_for_best_model oder save_strategy: best.</translation>
    </message>
    <message>
        <source>Copy each complete checkpoint below this place, by a process that the training never waits for: s3://bucket/prefix, gs://bucket/prefix, a folder, or host:/folder. `roadtune resume` goes on from there.</source>
        <translation>Jeden vollständigen Checkpoint unter diesen Ort kopieren, durch einen Prozess, auf den das Training nie wartet: s3://bucket/prefix, gs://bucket/prefix, ein Ordner oder host:/folder. `roadtune resume` macht von dort weiter.</translation>
    </message>
    <message>
        <source>Write weights alone: smaller, but nothing to resume from.</source>
        <translation>Nur Gewichte schreiben: kleiner, aber nichts zum Fortsetzen.</translation>
    </message>
    <message>
        <source>Checkpoints are safetensors files; nothing else is offered.</source>
        <translation>Checkpoints sind safetensors-Dateien; anderes wird nicht angeboten.</translation>
    </message>
    <message>
        <source>A checkpoint&apos;s weights are split into files of at most this size.</source>
        <translation>Die Gewichte eines Checkpoints werden in Dateien von höchstens dieser Größe geteilt.</translation>
    </message>
    <message>
        <source>Module paths in adapter files: C as PEFT writes them today, B for transformers 4.52 to 5.5, A for 4.51 and older. `auto` is the one that fits most readers.</source>
        <translation>Modulpfade in Adapterdateien: C, wie PEFT sie heute schreibt, B für transformers 4.52 bis 5.5, A für 4.51 und älter. `auto` ist das, was den meisten passt.</translation>
    </message>
    <message>
        <source>Go on from this checkpoint; `latest` is the newest of output_dir.</source>
        <translation>Von diesem Checkpoint aus weitermachen; `latest` ist der neueste in output_dir.</translation>
    </message>
    <message>
        <source>Note which samples made up each step, to look up what was behind a spike.</source>
        <translation>Festhalten, welche Beispiele in jedem Schritt waren, um nachzusehen, was hinter einem Ausschlag steckt.</translation>
    </message>
    <message>
        <source>Note what every sample cost in every step (ledger/).</source>
        <translation>Festhalten, was jedes Beispiel in jedem Schritt gekostet hat (ledger/).</translation>
    </message>
    <message>
        <source>Where to compute: `auto` takes the GPUs when there are any.</source>
        <translation>Wo gerechnet wird: `auto` nimmt die GPUs, wenn es welche gibt.</translation>
    </message>
    <message>
        <source>Processes per machine; when not set one per GPU, or one without a GPU.</source>
        <translation>Prozesse je Rechner; ohne Angabe einer je GPU, oder einer ohne GPU.</translation>
    </message>
    <message>
        <source>Numbers of the GPUs to use, from 0.</source>
        <translation>Nummern der benutzten GPUs, ab 0.</translation>
    </message>
    <message>
        <source>Machines to train on, by ssh name, first one leads.</source>
        <translation>Rechner, auf denen trainiert wird, nach ssh-Namen, der erste führt.</translation>
    </message>
    <message>
        <source>A fleet file instead of hosts.</source>
        <translation>Eine Flottendatei statt hosts.</translation>
    </message>
    <message>
        <source>What each process holds: everything (ddp), its share of weights, gradients and optimizer (sharded), or shares within a machine and copies across machines (hybrid).</source>
        <translation>Was jeder Prozess hält: alles (ddp), seinen Anteil an Gewichten, Gradienten und Optimierer (sharded), oder Anteile innerhalb eines Rechners und Kopien über Rechner (hybrid).</translation>
    </message>
    <message>
        <source>Share out weights that are not trained, too; false keeps all of them in every process and sends none.</source>
        <translation>Auch Gewichte aufteilen, die nicht trainiert werden; false behält alle in jedem Prozess und sendet keine.</translation>
    </message>
    <message>
        <source>Give a block&apos;s gathered weights back after its forward pass; false keeps them for the backward pass: less traffic, more memory.</source>
        <translation>Die gesammelten Gewichte eines Blocks nach dem Vorwärtsgang zurückgeben; false behält sie für den Rückwärtsgang: weniger Verkehr, mehr Speicher.</translation>
    </message>
    <message>
        <source>Threads of one process&apos;s arithmetic on the CPU.</source>
        <translation>Threads für das Rechnen eines Prozesses auf der CPU.</translation>
    </message>
    <message>
        <source>A step that takes so many times the median, and at least a minute, is a stall; 0 never looks.</source>
        <translation>Ein Schritt, der so viele Male den Median braucht und mindestens eine Minute, ist ein Stillstand; 0 sieht nie nach.</translation>
    </message>
    <message>
        <source>Tell of a stall and wait, or end the run as failed.</source>
        <translation>Einen Stillstand melden und warten, oder den Lauf als gescheitert beenden.</translation>
    </message>
    <message>
        <source>Variables to set for every process.</source>
        <translation>Variablen, die für jeden Prozess gesetzt werden.</translation>
    </message>
    <message>
        <source>Address where processes meet.</source>
        <translation>Adresse, unter der sich Prozesse treffen.</translation>
    </message>
    <message>
        <source>Port where processes meet.</source>
        <translation>Port, an dem sich Prozesse treffen.</translation>
    </message>
    <message>
        <source>Who moves gradients: NCCL between GPUs, Gloo between CPUs.</source>
        <translation>Wer Gradienten überträgt: NCCL zwischen GPUs, Gloo zwischen CPUs.</translation>
    </message>
    <message>
        <source>A collective that takes longer ends the run.</source>
        <translation>Eine gemeinsame Operation, die länger dauert, beendet den Lauf.</translation>
    </message>
    <message>
        <source>Gradients are sent in buckets of this size.</source>
        <translation>Gradienten werden in Paketen dieser Größe gesendet.</translation>
    </message>
    <message>
        <source>How much NCCL says in the log.</source>
        <translation>Wie viel NCCL im Protokoll sagt.</translation>
    </message>
    <message>
        <source>Network interfaces for NCCL, as NCCL_SOCKET_IFNAME takes them.</source>
        <translation>Netzwerkschnittstellen für NCCL, wie NCCL_SOCKET_IFNAME sie nimmt.</translation>
    </message>
    <message>
        <source>InfiniBand adapters for NCCL, as NCCL_IB_HCA takes them.</source>
        <translation>InfiniBand-Adapter für NCCL, wie NCCL_IB_HCA sie nimmt.</translation>
    </message>
    <message>
        <source>Network interface for Gloo, as GLOO_SOCKET_IFNAME takes it.</source>
        <translation>Netzwerkschnittstelle für Gloo, wie GLOO_SOCKET_IFNAME sie nimmt.</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>processes</source>
        <translation>Prozesse</translation>
    </message>
    <message>
        <source>threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>GB</source>
        <translation>GB</translation>
    </message>
    <message>
        <source>evaluations</source>
        <translation>Auswertungen</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>px of the stored image</source>
        <translation>px des gespeicherten Bildes</translation>
    </message>
    <message>
        <source>s</source>
        <translation>s</translation>
    </message>
    <message>
        <source>batches</source>
        <translation>Batches</translation>
    </message>
    <message>
        <source>checkpoints</source>
        <translation>Checkpoints</translation>
    </message>
    <message>
        <source>MB</source>
        <translation>MB</translation>
    </message>
    <message>
        <source>steps or epochs</source>
        <translation>Schritte oder Epochen</translation>
    </message>
    <message>
        <source>px</source>
        <translation>px</translation>
    </message>
    <message>
        <source>samples</source>
        <translation>Beispiele</translation>
    </message>
    <message>
        <source>boxes</source>
        <translation>Boxen</translation>
    </message>
    <message>
        <source>epochs</source>
        <translation>Epochen</translation>
    </message>
    <message>
        <source>A tiny model learns to detect drawn road users in two minutes on two CPU cores.</source>
        <translation>Ein winziges Modell lernt in zwei Minuten auf zwei CPU-Kernen, gezeichnete Verkehrsteilnehmer zu finden.</translation>
    </message>
    <message>
        <source>Adapters of rank 8 on the seven projections: the gentle way to a first good model.</source>
        <translation>Adapter vom Rang 8 auf den sieben Projektionen: der sanfte Weg zu einem ersten guten Modell.</translation>
    </message>
    <message>
        <source>Adapters on weights kept in 4 bits: a 3B model on a desktop GPU.</source>
        <translation>Adapter auf Gewichten in 4 Bit: ein 3B-Modell auf einer Desktop-GPU.</translation>
    </message>
    <message>
        <source>Visual question answering with the vision tower and the projector left as they are.</source>
        <translation>Fragen zu Bildern beantworten; Bild-Encoder und Projektor bleiben, wie sie sind.</translation>
    </message>
    <message>
        <source>Detection on Waymo images at 448 px: vehicles, pedestrians and cyclists as &lt;loc&gt; boxes.</source>
        <translation>Erkennung auf Waymo-Bildern mit 448 px: Fahrzeuge, Fußgänger und Radfahrer als &lt;loc&gt;-Boxen.</translation>
    </message>
    <message>
        <source>Full fine-tuning of PaliGemma 2 3B-224 on Waymo images over four nodes of eight GPUs.</source>
        <translation>Volles Training von PaliGemma 2 3B-224 auf Waymo-Bildern über vier Rechner mit acht GPUs.</translation>
    </message>
    <message>
        <source>Classes to detect, in the order of the prompt.</source>
        <translation>Gesuchte Klassen, in der Reihenfolge des Prompts.</translation>
    </message>
    <message>
        <source>Trackers besides the run&apos;s own events.</source>
        <translation>Aufzeichnungen neben den eigenen Ereignissen des Laufs.</translation>
    </message>
    <message>
        <source>Work on the tokens of a batch alone; padding takes part in attention only. The results are the same.</source>
        <translation>Nur mit den Token eines Batches rechnen; Aufgefülltes geht allein in die Attention ein. Die Ergebnisse sind dieselben.</translation>
    </message>
    <message>
        <source>Exceptions by module, for example {language_model.layers.17: full}: frozen, full, lora, qlora, or {method, r, lora_alpha, lora_dropout, learning_rate, dtype}; later ones win. A line with learning_rate or dtype alone leaves the method as it is.</source>
        <translation>Ausnahmen je Modul, zum Beispiel {language_model.layers.17: full}: frozen, full, lora, qlora oder {method, r, lora_alpha, lora_dropout, learning_rate, dtype}; spätere gewinnen. Eine Zeile mit learning_rate oder dtype allein lässt die Methode, wie sie ist.</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>all samples</source>
        <translation>alle Beispiele</translation>
    </message>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
    <message>
        <source>the task&apos;s own</source>
        <translation>die der Aufgabe</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>ohne Grenze</translation>
    </message>
    <message>
        <source>the model&apos;s own</source>
        <translation>wie das Modell</translation>
    </message>
    <message>
        <source>roadtune/images in the user&apos;s cache folder</source>
        <translation>roadtune/images im Cache-Ordner des Benutzers</translation>
    </message>
    <message>
        <source>4 or 100</source>
        <translation>4 oder 100</translation>
    </message>
    <message>
        <source>one per GPU</source>
        <translation>einer je GPU</translation>
    </message>
    <message>
        <source>this machine</source>
        <translation>dieser Rechner</translation>
    </message>
    <message>
        <source>cores shared out</source>
        <translation>Kerne aufgeteilt</translation>
    </message>
    <message>
        <source>the first host</source>
        <translation>der erste Rechner</translation>
    </message>
    <message>
        <source>chosen by NCCL</source>
        <translation>wählt NCCL</translation>
    </message>
    <message>
        <source>chosen by Gloo</source>
        <translation>wählt Gloo</translation>
    </message>
    <message>
        <source>none yet</source>
        <translation>noch keine</translation>
    </message>
    <message>
        <source>any list</source>
        <translation>jede Liste</translation>
    </message>
    <message>
        <source>as logged</source>
        <translation>wie Protokoll</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>Loss</translation>
    </message>
    <message>
        <source>as the metric wants</source>
        <translation>wie die Messgröße es will</translation>
    </message>
    <message>
        <source>keep all</source>
        <translation>alle bleiben</translation>
    </message>
    <message>
        <source>nowhere</source>
        <translation>nirgendwohin</translation>
    </message>
    <message>
        <source>begin anew</source>
        <translation>neu beginnen</translation>
    </message>
    <message>
        <source>same as seed</source>
        <translation>wie seed</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>automatisch</translation>
    </message>
    <message>
        <source>2</source>
        <translation>2</translation>
    </message>
    <message>
        <source>the common rate</source>
        <translation>die gemeinsame</translation>
    </message>
    <message>
        <source>its tower&apos;s</source>
        <translation>die des Turms</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>the folder&apos;s name</source>
        <translation>der Name des Ordners</translation>
    </message>
    <message>
        <source>roadtune/features in the user&apos;s cache folder</source>
        <translation>roadtune/features im Cache-Ordner des Benutzers</translation>
    </message>
    <message>
        <source>16 or 200</source>
        <translation>16 oder 200</translation>
    </message>
    <message>
        <source>a folder in the Hugging Face layout</source>
        <translation>ein Ordner im Aufbau von Hugging Face</translation>
    </message>
    <message>
        <source>an index, JSONL, COCO or VQA parquet</source>
        <translation>ein Index, JSONL, COCO oder VQA-Parquet</translation>
    </message>
    <message>
        <source>Prompt of an index&apos;s samples instead of the task&apos;s own, for example `caption en`. Where samples are questions, what stands before each of them instead of `answer en`.</source>
        <translation>Prompt der Beispiele eines Indexes statt des Prompts der Aufgabe, zum Beispiel `caption en`. Wo Beispiele Fragen sind: was vor jeder von ihnen steht, statt `answer en`.</translation>
    </message>
    <message>
        <source>Times a run that failed for a reason that may pass is started again from its last checkpoint: on one machine by its agent, on several by `roadtune train` while it follows them, which also waits for a machine that went away. The queue has --retries for the same.</source>
        <translation>So oft wird ein Lauf, der aus einem vorübergehenden Grund gescheitert ist, vom letzten Checkpoint an noch einmal gestartet: auf einem Rechner von seinem Agenten, auf mehreren von `roadtune train`, solange es ihm folgt; das wartet auch auf einen Rechner, der verschwunden ist. Die Warteschlange hat dafür --retries.</translation>
    </message>
    <message>
        <source>A machine that has answered nothing for so long is gone, by a lost power or a cut network: the processes that wait for it end. 0 waits for ddp_timeout.</source>
        <translation>Ein Rechner, der so lange nichts beantwortet hat, ist weg, ohne Strom oder ohne Netz: Die Prozesse, die auf ihn warten, enden. 0 wartet ddp_timeout ab.</translation>
    </message>
    <message>
        <source>new adapters</source>
        <translation>neue Adapter</translation>
    </message>
    <message>
        <source>Folder of an adapter to start from, as peft or a run wrote it: its weights are the first values, and which layers it is on, and with what rank, is as its adapter_config.json says.</source>
        <translation>Ordner eines Adapters, mit dem begonnen wird, wie peft oder ein Lauf ihn geschrieben hat: Seine Gewichte sind die Anfangswerte, und auf welchen Schichten er liegt und mit welchem Rang, steht in seiner adapter_config.json.</translation>
    </message>
    <message>
        <source>Learning rate of the second matrix of each adapter, in multiples of the first one&apos;s (LoRA+); trained vectors have it too, as in peft.</source>
        <translation>Lernrate der zweiten Matrix jedes Adapters, in Vielfachen von der der ersten (LoRA+); trainierte Vektoren haben sie auch, wie in peft.</translation>
    </message>
    <message>
        <source>Compute in bfloat16, and keep trained matrices and their gradients in it alone: 2 to 4 bytes less for each weight. Updates are rounded up or down by chance, so that small ones count on average.</source>
        <translation>In bfloat16 rechnen und trainierte Matrizen und ihre Gradienten nur darin halten: 2 bis 4 Byte weniger je Gewicht. Änderungen werden zufällig auf- oder abgerundet, damit auch kleine im Mittel zählen.</translation>
    </message>
    <message>
        <source>Only so many blocks are computed again, the first that gradients reach: those of the vision tower, then those of the language model. As few as fit into memory cost the least.</source>
        <translation>Nur so viele Blöcke werden neu berechnet, die ersten, die Gradienten erreichen: die des Bildturms, dann die des Sprachmodells. So wenige, wie in den Speicher passen, kosten am wenigsten.</translation>
    </message>
    <message>
        <source>all of them</source>
        <translation>alle</translation>
    </message>
</context>
<context>
    <name>Section</name>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>Methode</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>Evaluation and output</source>
        <translation>Auswertung und Ausgabe</translation>
    </message>
    <message>
        <source>Launch</source>
        <translation>Start</translation>
    </message>
</context>
<context>
    <name>SegmentGroup</name>
    <message>
        <source>1 image</source>
        <translation>1 Bild</translation>
    </message>
    <message>
        <source>%1 images</source>
        <translation>%1 Bilder</translation>
    </message>
</context>
<context>
    <name>Sort</name>
    <message>
        <source>As recorded</source>
        <translation>Wie aufgenommen</translation>
    </message>
    <message>
        <source>Most boxes first</source>
        <translation>Meiste Boxen zuerst</translation>
    </message>
    <message>
        <source>Fewest boxes first</source>
        <translation>Wenigste Boxen zuerst</translation>
    </message>
    <message>
        <source>Smallest box first</source>
        <translation>Kleinste Box zuerst</translation>
    </message>
    <message>
        <source>Largest box first</source>
        <translation>Größte Box zuerst</translation>
    </message>
    <message>
        <source>Most pedestrians first</source>
        <translation>Meiste Fußgänger zuerst</translation>
    </message>
    <message>
        <source>Most cyclists first</source>
        <translation>Meiste Radfahrer zuerst</translation>
    </message>
    <message>
        <source>Latest first</source>
        <translation>Neueste zuerst</translation>
    </message>
</context>
<context>
    <name>Tile</name>
    <message>
        <source>Front</source>
        <translation>Vorn</translation>
    </message>
    <message>
        <source>Front left</source>
        <translation>Vorn links</translation>
    </message>
    <message>
        <source>Front right</source>
        <translation>Vorn rechts</translation>
    </message>
    <message>
        <source>Side left</source>
        <translation>Seite links</translation>
    </message>
    <message>
        <source>Side right</source>
        <translation>Seite rechts</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>Image %1</source>
        <translation>Bild %1</translation>
    </message>
    <message>
        <source>%1 · frame %2</source>
        <translation>%1 · Frame %2</translation>
    </message>
    <message>
        <source>not labelled</source>
        <translation>nicht beschriftet</translation>
    </message>
    <message>
        <source>1 box</source>
        <translation>1 Box</translation>
    </message>
    <message>
        <source>%1 boxes</source>
        <translation>%1 Boxen</translation>
    </message>
    <message>
        <source>no answer</source>
        <translation>keine Antwort</translation>
    </message>
</context>
<context>
    <name>Value</name>
    <message>
        <source>Day</source>
        <translation>Tag</translation>
    </message>
    <message>
        <source>Night</source>
        <translation>Nacht</translation>
    </message>
    <message>
        <source>Dawn/Dusk</source>
        <translation>Dämmerung</translation>
    </message>
    <message>
        <source>Sunny</source>
        <translation>Sonnig</translation>
    </message>
    <message>
        <source>Rain</source>
        <translation>Regen</translation>
    </message>
    <message>
        <source>Other</source>
        <translation>Andere</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>Validation</source>
        <translation>Validierung</translation>
    </message>
    <message>
        <source>Testing</source>
        <translation>Test</translation>
    </message>
</context>
<context>
    <name>Verdict</name>
    <message>
        <source>Steps wait for samples</source>
        <translation>Schritte warten auf Bilder</translation>
    </message>
    <message>
        <source>%1 takes %2 of a step of %3 (%4 %), over %5 steps</source>
        <translation>%1 dauert %2 von einem Schritt mit %3 (%4 %), über %5 Schritte</translation>
    </message>
    <message>
        <source>waiting for samples</source>
        <translation>das Warten auf Bilder</translation>
    </message>
    <message>
        <source>communication that is not hidden behind computing</source>
        <translation>Kommunikation, die nicht neben dem Rechnen läuft,</translation>
    </message>
    <message>
        <source>work with no name of its own</source>
        <translation>Arbeit ohne eigenen Namen</translation>
    </message>
    <message>
        <source>computing</source>
        <translation>das Rechnen</translation>
    </message>
    <message>
        <source>the processor is %1 % busy</source>
        <translation>der Prozessor ist zu %1 % ausgelastet</translation>
    </message>
    <message>
        <source>all cores are busy: more workers will not help; store the images smaller, or on a faster disk</source>
        <translation>alle Kerne sind ausgelastet: mehr Arbeiter helfen nicht; Bilder kleiner oder auf einem schnelleren Laufwerk ablegen</translation>
    </message>
    <message>
        <source>raise dataloader_num_workers</source>
        <translation>dataloader_num_workers erhöhen</translation>
    </message>
    <message>
        <source>Steps wait for the network</source>
        <translation>Schritte warten auf das Netz</translation>
    </message>
    <message>
        <source>accumulate more micro-batches per step, check the interface (NCCL_SOCKET_IFNAME), or shard within a node only</source>
        <translation>mehr Mikrobatches je Schritt sammeln, die Schnittstelle prüfen (NCCL_SOCKET_IFNAME) oder nur innerhalb eines Rechners aufteilen</translation>
    </message>
    <message>
        <source>Steps spend time on unnamed work</source>
        <translation>Schritte verbringen Zeit mit unbenannter Arbeit</translation>
    </message>
    <message>
        <source>log and save less often; look at the log for what runs between steps</source>
        <translation>seltener protokollieren und speichern; im Protokoll nachsehen, was zwischen den Schritten läuft</translation>
    </message>
    <message>
        <source>Steps are spent computing</source>
        <translation>Schritte verbringen ihre Zeit mit Rechnen</translation>
    </message>
    <message>
        <source>it works %1 longer per step than the others (%2 % of a step of %3)</source>
        <translation>er arbeitet je Schritt %1 länger als die anderen (%2 % eines Schritts mit %3)</translation>
    </message>
    <message>
        <source>compare its machine with the others: clocks, other processes, disk</source>
        <translation>seinen Rechner mit den anderen vergleichen: Takt, andere Prozesse, Laufwerk</translation>
    </message>
    <message>
        <source>it loses the time in %1</source>
        <translation>er verliert die Zeit durch %1</translation>
    </message>
    <message>
        <source>the forward pass</source>
        <translation>die Vorwärtsrechnung</translation>
    </message>
    <message>
        <source>the backward pass</source>
        <translation>die Rückwärtsrechnung</translation>
    </message>
    <message>
        <source>the optimizer</source>
        <translation>den Optimierer</translation>
    </message>
    <message>
        <source>unnamed work</source>
        <translation>unbenannte Arbeit</translation>
    </message>
    <message>
        <source>Steps take longer than they did</source>
        <translation>Schritte dauern länger als zuvor</translation>
    </message>
    <message>
        <source>%1 instead of %2 in the last %3 steps</source>
        <translation>%1 statt %2 in den letzten %3 Schritten</translation>
    </message>
    <message>
        <source>look at the clocks and temperatures of the cards, at the disk the data is read from, and at what else the machines do</source>
        <translation>Takt und Temperatur der Karten ansehen, das Laufwerk, von dem gelesen wird, und was die Rechner sonst tun</translation>
    </message>
    <message>
        <source>No step for %1</source>
        <translation>Seit %1 kein Schritt</translation>
    </message>
    <message>
        <source>after step %1; a step usually takes %2</source>
        <translation>nach Schritt %1; ein Schritt dauert sonst %2</translation>
    </message>
    <message>
        <source>%1 is held back: %2</source>
        <translation>%1 wird gebremst: %2</translation>
    </message>
    <message>
        <source>thermal</source>
        <translation>Temperatur</translation>
    </message>
    <message>
        <source>hardware thermal</source>
        <translation>Temperatur der Hardware</translation>
    </message>
    <message>
        <source>hardware slowdown</source>
        <translation>Bremse der Hardware</translation>
    </message>
    <message>
        <source>power brake</source>
        <translation>Strombremse</translation>
    </message>
    <message>
        <source>power cap</source>
        <translation>Leistungsgrenze</translation>
    </message>
    <message>
        <source>in %1 % of %2 samples</source>
        <translation>in %1 % von %2 Messungen</translation>
    </message>
    <message>
        <source>normal under full load; a higher power limit would raise the clocks</source>
        <translation>unter Volllast üblich; eine höhere Leistungsgrenze würde den Takt heben</translation>
    </message>
    <message>
        <source>check cooling and power of this machine</source>
        <translation>Kühlung und Stromversorgung dieses Rechners prüfen</translation>
    </message>
    <message>
        <source>%1 is nearly out of memory</source>
        <translation>%1 hat kaum noch Speicher</translation>
    </message>
    <message>
        <source>%1 of %2 were used</source>
        <translation>%1 von %2 waren belegt</translation>
    </message>
    <message>
        <source>gradient_checkpointing: true, or a smaller per_device_train_batch_size with more accumulation</source>
        <translation>gradient_checkpointing: true oder ein kleineres per_device_train_batch_size mit mehr Sammelschritten</translation>
    </message>
    <message>
        <source>%1 is busy %2 % of the time</source>
        <translation>%1 ist %2 % der Zeit beschäftigt</translation>
    </message>
    <message>
        <source>and uses %1 of its %2</source>
        <translation>und nutzt %1 von seinen %2</translation>
    </message>
    <message>
        <source>mean utilization while training (100 % would not yet mean that all of the card works)</source>
        <translation>mittlere Auslastung beim Training (100 % hieße noch nicht, dass die ganze Karte arbeitet)</translation>
    </message>
    <message>
        <source>a larger per_device_train_batch_size with less accumulation</source>
        <translation>ein größeres per_device_train_batch_size mit weniger Sammelschritten</translation>
    </message>
    <message>
        <source>see where the steps spend their time</source>
        <translation>nachsehen, womit die Schritte ihre Zeit verbringen</translation>
    </message>
    <message>
        <source>The disk of the run is nearly full</source>
        <translation>Das Laufwerk des Laufs ist fast voll</translation>
    </message>
    <message>
        <source>The disk of the run is full</source>
        <translation>Das Laufwerk des Laufs ist voll</translation>
    </message>
    <message>
        <source>how the run ended could not be written</source>
        <translation>wie der Lauf endete, ließ sich nicht aufschreiben</translation>
    </message>
    <message>
        <source>free some space, then roadtune resume</source>
        <translation>Platz schaffen, dann roadtune resume</translation>
    </message>
    <message>
        <source>%1 are free</source>
        <translation>%1 sind frei</translation>
    </message>
    <message>
        <source>a checkpoint takes %1</source>
        <translation>ein Checkpoint braucht %1</translation>
    </message>
    <message>
        <source>full in %1 min at this rate</source>
        <translation>bei diesem Tempo in %1 min voll</translation>
    </message>
    <message>
        <source>free some space, or lower save_total_limit</source>
        <translation>Platz schaffen oder save_total_limit senken</translation>
    </message>
    <message>
        <source>The machine is nearly out of memory</source>
        <translation>Der Rechner hat kaum noch Arbeitsspeicher</translation>
    </message>
    <message>
        <source>fewer dataloader workers, or close other programs</source>
        <translation>weniger Arbeiter beim Laden oder andere Programme schließen</translation>
    </message>
    <message>
        <source>Nobody has heard of this run any more</source>
        <translation>Von diesem Lauf ist nichts mehr zu hören</translation>
    </message>
    <message>
        <source>its last event was not a goodbye, and its processes are gone or silent</source>
        <translation>sein letztes Ereignis war kein Abschied, und seine Prozesse sind fort oder schweigen</translation>
    </message>
    <message>
        <source>roadtune resume goes on from the last complete checkpoint</source>
        <translation>roadtune resume macht beim letzten vollständigen Checkpoint weiter</translation>
    </message>
    <message>
        <source>there is no checkpoint yet: start it again with overwrite_output_dir: true</source>
        <translation>noch gibt es keinen Checkpoint: mit overwrite_output_dir: true neu starten</translation>
    </message>
    <message>
        <source>free some space; %1</source>
        <translation>Platz schaffen; %1</translation>
    </message>
    <message>
        <source>The run failed</source>
        <translation>Der Lauf ist gescheitert</translation>
    </message>
    <message>
        <source>rank %1: %2</source>
        <translation>Rang %1: %2</translation>
    </message>
    <message>
        <source>it gave no reason; see its log</source>
        <translation>er nannte keinen Grund; siehe sein Protokoll</translation>
    </message>
    <message>
        <source>The loss rises from step %1 on</source>
        <translation>Der Verlust steigt ab Schritt %1</translation>
    </message>
    <message>
        <source>a lower learning_rate, more warmup_steps, or max_grad_norm: 1.0</source>
        <translation>eine kleinere learning_rate, mehr warmup_steps oder max_grad_norm: 1.0</translation>
    </message>
    <message>
        <source>The loss was not a number</source>
        <translation>Der Verlust war keine Zahl</translation>
    </message>
    <message>
        <source>at step %1</source>
        <translation>bei Schritt %1</translation>
    </message>
    <message>
        <source>%1 times, first at step %2</source>
        <translation>%1-mal, zuerst bei Schritt %2</translation>
    </message>
    <message>
        <source>What was trained is not what was asked for</source>
        <translation>Trainiert wurde nicht, was verlangt war</translation>
    </message>
    <message>
        <source>compare with roadtune model tree</source>
        <translation>mit roadtune model tree vergleichen</translation>
    </message>
    <message>
        <source>Some answers were cut</source>
        <translation>Einige Antworten wurden gekürzt</translation>
    </message>
    <message>
        <source>%1 samples were longer than max_length, the first in step %2</source>
        <translation>%1 Beispiele waren länger als max_length, das erste in Schritt %2</translation>
    </message>
    <message>
        <source>raise max_length; on_long_sample: skip leaves such samples out</source>
        <translation>max_length erhöhen; on_long_sample: skip lässt solche Beispiele aus</translation>
    </message>
    <message>
        <source>the last evaluation was no better</source>
        <translation>die letzte Auswertung war nicht besser</translation>
    </message>
    <message>
        <source>none of the last %1 evaluations was better</source>
        <translation>keine der letzten %1 Auswertungen war besser</translation>
    </message>
    <message>
        <source>Some samples could not be used</source>
        <translation>Einige Beispiele waren nicht zu gebrauchen</translation>
    </message>
    <message>
        <source>%1 were left out, the first in step %2; the run&apos;s warnings name them</source>
        <translation>%1 wurden ausgelassen, das erste in Schritt %2; die Warnungen des Laufs nennen sie</translation>
    </message>
    <message>
        <source>look whether the pictures are where the data says; on_bad_sample: stop ends a run</source>
        <translation>nachsehen, ob die Bilder dort liegen, wo die Daten es sagen; on_bad_sample: stop beendet einen Lauf</translation>
    </message>
    <message>
        <source>Some events are missing or damaged</source>
        <translation>Einige Ereignisse fehlen oder sind beschädigt</translation>
    </message>
    <message>
        <source>%1 places in the event files; roadtune runs show lists them</source>
        <translation>%1 Stellen in den Ereignisdateien; roadtune runs show zählt sie auf</translation>
    </message>
    <message>
        <source>a full disk or a broken copy does this</source>
        <translation>so etwas macht ein volles Laufwerk oder eine abgebrochene Kopie</translation>
    </message>
    <message>
        <source>the loss is %1</source>
        <translation>der Verlust ist %1</translation>
    </message>
    <message>
        <source>the loss %1 lies %2 deviations above its average %3</source>
        <translation>der Verlust %1 liegt %2 Abweichungen über seinem Mittel %3</translation>
    </message>
    <message>
        <source>the loss was not finite %1 times in a row</source>
        <translation>der Verlust war %1-mal in Folge nicht endlich</translation>
    </message>
    <message>
        <source>the loss lay far above its average %1 %2 times in a row, at %3 now</source>
        <translation>der Verlust lag %2-mal in Folge weit über seinem Mittel %1, jetzt bei %3</translation>
    </message>
    <message>
        <source>the loss averages %1 now and %2 before: %3 times as much</source>
        <translation>der Verlust ist jetzt im Mittel %1 und war %2: das %3-fache</translation>
    </message>
    <message>
        <source>gradient_checkpointing: true, a smaller per_device_train_batch_size with more accumulation, or qlora</source>
        <translation>gradient_checkpointing: true, ein kleineres per_device_train_batch_size mit mehr Sammelschritten oder qlora</translation>
    </message>
    <message>
        <source>a smaller per_device_train_batch_size, or fewer dataloader_num_workers</source>
        <translation>ein kleineres per_device_train_batch_size oder weniger dataloader_num_workers</translation>
    </message>
    <message>
        <source>The card ran out of memory</source>
        <translation>Der Karte ging der Speicher aus</translation>
    </message>
    <message>
        <source>The disk is full</source>
        <translation>Das Laufwerk ist voll</translation>
    </message>
    <message>
        <source>The quota is used up</source>
        <translation>Das Kontingent ist erschöpft</translation>
    </message>
    <message>
        <source>The driver is older than the CUDA libraries</source>
        <translation>Der Treiber ist älter als die CUDA-Bibliotheken</translation>
    </message>
    <message>
        <source>install a newer driver on that machine</source>
        <translation>auf jenem Rechner einen neueren Treiber installieren</translation>
    </message>
    <message>
        <source>A library is of another version than the program</source>
        <translation>Eine Bibliothek hat eine andere Version als das Programm</translation>
    </message>
    <message>
        <source>install the torch that roadtune fleet check names on every machine</source>
        <translation>auf jedem Rechner das torch installieren, das roadtune fleet check nennt</translation>
    </message>
    <message>
        <source>The system is older than the program</source>
        <translation>Das System ist älter als das Programm</translation>
    </message>
    <message>
        <source>Debian 12, Ubuntu 24.04 or later on that machine</source>
        <translation>Debian 12, Ubuntu 24.04 oder neuer auf jenem Rechner</translation>
    </message>
    <message>
        <source>A library is missing</source>
        <translation>Eine Bibliothek fehlt</translation>
    </message>
    <message>
        <source>roadtune fleet check names it</source>
        <translation>roadtune fleet check nennt sie</translation>
    </message>
    <message>
        <source>a lower learning_rate or more warmup_steps, and a look at the samples of that step</source>
        <translation>eine kleinere learning_rate oder mehr warmup_steps und ein Blick auf die Bilder dieses Schritts</translation>
    </message>
    <message>
        <source>A kernel read or wrote outside its memory</source>
        <translation>Ein Kernel las oder schrieb außerhalb seines Speichers</translation>
    </message>
    <message>
        <source>run once more with environment: {CUDA_LAUNCH_BLOCKING: 1}; report it with the log</source>
        <translation>noch einmal laufen lassen mit environment: {CUDA_LAUNCH_BLOCKING: 1}; mit dem Protokoll melden</translation>
    </message>
    <message>
        <source>A collective did not come to its end</source>
        <translation>Eine gemeinsame Operation kam nicht zu Ende</translation>
    </message>
    <message>
        <source>NCCL failed</source>
        <translation>NCCL ist gescheitert</translation>
    </message>
    <message>
        <source>nccl_debug: INFO and nccl_socket_ifname, and run roadtune fleet check</source>
        <translation>nccl_debug: INFO und nccl_socket_ifname setzen und roadtune fleet check laufen lassen</translation>
    </message>
    <message>
        <source>The card reported an error</source>
        <translation>Die Karte meldete einen Fehler</translation>
    </message>
    <message>
        <source>see dmesg for Xid messages on that machine</source>
        <translation>auf jenem Rechner in dmesg nach Xid-Meldungen sehen</translation>
    </message>
    <message>
        <source>The machine ran out of memory</source>
        <translation>Dem Rechner ging der Arbeitsspeicher aus</translation>
    </message>
    <message>
        <source>check master_addr, master_port and the firewall: roadtune fleet check</source>
        <translation>master_addr, master_port und die Firewall prüfen: roadtune fleet check</translation>
    </message>
    <message>
        <source>target_modules also adapt %1 layers of the vision tower (%2): %3 of the trainable parameters. To adapt the language model alone: %4</source>
        <translation>target_modules erfasst auch %1 Schichten des Bildturms (%2): %3 der trainierten Parameter. Nur das Sprachmodell: %4</translation>
    </message>
    <message>
        <source>target_modules also adapt %1 layers of the vision tower (%2): %3 of the trainable parameters. freeze_vision_tower freezes the tower&apos;s own weights, not its adapters. To adapt the language model alone: %4</source>
        <translation>target_modules erfasst auch %1 Schichten des Bildturms (%2): %3 der trainierten Parameter. freeze_vision_tower friert die eigenen Gewichte des Turms ein, nicht seine Adapter. Nur das Sprachmodell: %4</translation>
    </message>
    <message>
        <source>loading is %1 % reading</source>
        <translation>das Laden ist zu %1 % Lesen</translation>
    </message>
    <message>
        <source>loading is %1 % decoding</source>
        <translation>das Laden ist zu %1 % Dekodieren</translation>
    </message>
    <message>
        <source>loading is %1 % tokenising</source>
        <translation>das Laden ist zu %1 % Zerlegen in Tokens</translation>
    </message>
    <message>
        <source>Steps wait for batches on their way to the card</source>
        <translation>Schritte warten auf Bündel, die zur Karte unterwegs sind</translation>
    </message>
    <message>
        <source>copying batches to the device</source>
        <translation>das Kopieren der Bündel auf das Gerät</translation>
    </message>
    <message>
        <source>image_cache: memory keeps pictures small; look at the PCIe rate of the card and at who else uses it</source>
        <translation>image_cache: memory hält Bilder klein; auf die PCIe-Rate der Karte achten und darauf, wer sie noch nutzt</translation>
    </message>
    <message>
        <source>%1 waits for its own memory</source>
        <translation>%1 wartet auf den eigenen Speicher</translation>
    </message>
    <message>
        <source>memory is busy %1 % of the time, the units %2 %</source>
        <translation>der Speicher ist %1 % der Zeit beschäftigt, die Rechenwerke %2 %</translation>
    </message>
    <message>
        <source>bf16: true, a larger per_device_train_batch_size, or fewer modules in float32</source>
        <translation>bf16: true, eine größere per_device_train_batch_size oder weniger Module in float32</translation>
    </message>
    <message>
        <source>%1 waits for work to be handed to it</source>
        <translation>%1 wartet darauf, dass Arbeit ankommt</translation>
    </message>
    <message>
        <source>steps are %1 % computing, but the units are busy only %2 % of the time</source>
        <translation>Schritte sind zu %1 % Rechnen, aber die Rechenwerke sind nur %2 % der Zeit beschäftigt</translation>
    </message>
    <message>
        <source>process %1 of %2 failed first: %3</source>
        <translation>Prozess %1 von %2 scheiterte zuerst: %3</translation>
    </message>
    <message>
        <source>process %1 of %2 on %3 failed first: %4</source>
        <translation>Prozess %1 von %2 auf %3 scheiterte zuerst: %4</translation>
    </message>
    <message>
        <source>process %1 of %2: %3</source>
        <translation>Prozess %1 von %2: %3</translation>
    </message>
    <message>
        <source>killed by %1</source>
        <translation>beendet durch %1</translation>
    </message>
    <message>
        <source>killed by %1 by the kernel, which ran out of memory</source>
        <translation>beendet durch %1 vom Kernel, dem der Speicher ausging</translation>
    </message>
    <message>
        <source>read the last lines of its log</source>
        <translation>die letzten Zeilen seines Protokolls lesen</translation>
    </message>
    <message>
        <source>Process %1 holds the others up</source>
        <translation>Prozess %1 hält die anderen auf</translation>
    </message>
    <message>
        <source>Process %1 on %2 holds the others up</source>
        <translation>Prozess %1 auf %2 hält die anderen auf</translation>
    </message>
    <message>
        <source>process %1 on %2</source>
        <translation>Prozess %1 auf %2</translation>
    </message>
    <message>
        <source>process %1</source>
        <translation>Prozess %1</translation>
    </message>
    <message>
        <source>GPU %1 on %2</source>
        <translation>GPU %1 auf %2</translation>
    </message>
    <message>
        <source>missing at the %1: %2 (processes that wait there: %3)</source>
        <translation>es fehlt bei %1: %2 (Prozesse, die dort warten: %3)</translation>
    </message>
    <message>
        <source>see the logs of all processes; save and stop, then resume goes on from the last checkpoint</source>
        <translation>die Protokolle aller Prozesse ansehen; speichern und anhalten, danach geht es vom letzten Checkpoint weiter</translation>
    </message>
    <message>
        <source>look for the process that ended or stalled first; roadtune fleet check tries the network</source>
        <translation>den Prozess suchen, der zuerst endete oder stockte; roadtune fleet check prüft das Netz</translation>
    </message>
    <message>
        <source>look for the process that died or stalled first; check the network between the machines</source>
        <translation>den Prozess suchen, der zuerst starb oder stockte; das Netz zwischen den Rechnern prüfen</translation>
    </message>
    <message>
        <source>Another process went away</source>
        <translation>Ein anderer Prozess ist verschwunden</translation>
    </message>
    <message>
        <source>Processes waited too long for another one</source>
        <translation>Prozesse warteten zu lange auf einen anderen</translation>
    </message>
    <message>
        <source>look for the process that stalled; ddp_timeout is how long they wait</source>
        <translation>den Prozess suchen, der stockte; ddp_timeout sagt, wie lange sie warten</translation>
    </message>
    <message>
        <source>Processes could not reach each other</source>
        <translation>Prozesse konnten einander nicht erreichen</translation>
    </message>
    <message>
        <source>step %1: %2</source>
        <translation>Schritt %1: %2</translation>
    </message>
    <message>
        <source>%1 (try: %2)</source>
        <translation>%1 (Vorschlag: %2)</translation>
    </message>
    <message>
        <source>loss %1 and gradient norm %2 are not finite: the step was not applied</source>
        <translation>Verlust %1 und Gradientennorm %2 sind keine endlichen Zahlen: Der Schritt wurde nicht angewandt</translation>
    </message>
    <message>
        <source>loss %1 and gradient norm %2 are not finite, %3 times in a row: the step was not applied</source>
        <translation>Verlust %1 und Gradientennorm %2 sind keine endlichen Zahlen, %3-mal nacheinander: Der Schritt wurde nicht angewandt</translation>
    </message>
    <message>
        <source>lower learning_rate, or look at the samples of this step</source>
        <translation>learning_rate senken, oder die Beispiele dieses Schritts ansehen</translation>
    </message>
    <message>
        <source>lower learning_rate or max_grad_norm</source>
        <translation>learning_rate oder max_grad_norm senken</translation>
    </message>
    <message>
        <source>look at the disk the data is read from, and at what else the machines do</source>
        <translation>das Laufwerk ansehen, von dem gelesen wird, und was die Rechner sonst tun</translation>
    </message>
    <message>
        <source>loss %1 is not finite: the step was not applied</source>
        <translation>Verlust %1 ist keine endliche Zahl: Der Schritt wurde nicht angewandt</translation>
    </message>
    <message>
        <source>loss %1 is not finite, %2 times in a row: the step was not applied</source>
        <translation>Verlust %1 ist keine endliche Zahl, %2-mal nacheinander: Der Schritt wurde nicht angewandt</translation>
    </message>
    <message>
        <source>gradient norm %1 is not finite: the step was not applied</source>
        <translation>Gradientennorm %1 ist keine endliche Zahl: Der Schritt wurde nicht angewandt</translation>
    </message>
    <message>
        <source>gradient norm %1 is not finite, %2 times in a row: the step was not applied</source>
        <translation>Gradientennorm %1 ist keine endliche Zahl, %2-mal nacheinander: Der Schritt wurde nicht angewandt</translation>
    </message>
    <message>
        <source>exit code %1</source>
        <translation>Fehlercode %1</translation>
    </message>
    <message>
        <source>exit code %1: %2</source>
        <translation>Fehlercode %1: %2</translation>
    </message>
    <message>
        <source>target_modules: %1 hit nothing in this model</source>
        <translation>target_modules: %1 trifft in diesem Modell nichts</translation>
    </message>
    <message>
        <source>modules_to_save trains a copy of embed_tokens; the output head stays tied to the frozen original, as in peft</source>
        <translation>modules_to_save trainiert eine Kopie von embed_tokens; der Ausgabekopf bleibt an das eingefrorene Original gebunden, wie in peft</translation>
    </message>
    <message>
        <source>the vision tower and the projector are quantised to NF4 too, as transformers does; keeping them in 16 bits costs 0.6 GB on a 3B model and is gentler on accuracy</source>
        <translation>auch Bildturm und Projektor werden nach NF4 quantisiert, wie bei transformers; sie in 16 Bit zu lassen kostet bei einem 3B-Modell 0,6 GB und schont die Genauigkeit</translation>
    </message>
    <message>
        <source>The run has lost its agent</source>
        <translation>Der Lauf hat seinen Agenten verloren</translation>
    </message>
    <message>
        <source>Another machine does not answer any more</source>
        <translation>Ein anderer Rechner antwortet nicht mehr</translation>
    </message>
    <message>
        <source>look whether it is on; roadtune fleet check tries the network</source>
        <translation>nachsehen, ob er an ist; roadtune fleet check prüft das Netz</translation>
    </message>
    <message>
        <source>The loss ended higher than it began</source>
        <translation>Der Verlust endete höher, als er begann</translation>
    </message>
    <message>
        <source>The loss is higher than it began</source>
        <translation>Der Verlust ist höher, als er begann</translation>
    </message>
    <message>
        <source>%1 at the start, %2 in the last steps</source>
        <translation>%1 am Anfang, %2 in den letzten Schritten</translation>
    </message>
    <message>
        <source>The evaluation loss has risen since step %1</source>
        <translation>Der Verlust der Auswertung steigt seit Schritt %1</translation>
    </message>
    <message>
        <source>from %1 to %2, while the training loss fell</source>
        <translation>von %1 auf %2, während der Verlust beim Training sank</translation>
    </message>
    <message>
        <source>use %1, where it was lowest</source>
        <translation>%1 nehmen, wo er am niedrigsten war</translation>
    </message>
    <message>
        <source>fewer steps, or keep the best checkpoint with load_best_model_at_end</source>
        <translation>weniger Schritte, oder mit load_best_model_at_end den besten Checkpoint behalten</translation>
    </message>
</context>
<context>
    <name>Work</name>
    <message>
        <source>waiting</source>
        <translation>Warten</translation>
    </message>
    <message>
        <source>connecting</source>
        <translation>Verbinden</translation>
    </message>
    <message>
        <source>comparing</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>copying</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>uploading</source>
        <translation>Übertragen</translation>
    </message>
    <message>
        <source>installing torch</source>
        <translation>torch installieren</translation>
    </message>
    <message>
        <source>fetching</source>
        <translation>Holen</translation>
    </message>
    <message>
        <source>links</source>
        <translation>Verbindungen</translation>
    </message>
    <message>
        <source>sum over pairs</source>
        <translation>Summe über Paare</translation>
    </message>
    <message>
        <source>indexing</source>
        <translation>Einlesen</translation>
    </message>
    <message>
        <source>thumbnails</source>
        <translation>Vorschaubilder</translation>
    </message>
    <message>
        <source>packing</source>
        <translation>Packen</translation>
    </message>
    <message>
        <source>exporting</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>drawing</source>
        <translation>Zeichnen</translation>
    </message>
    <message>
        <source>drawing labels</source>
        <translation>Beschriftungen zeichnen</translation>
    </message>
    <message>
        <source>counting tokens</source>
        <translation>Token zählen</translation>
    </message>
    <message>
        <source>comparing pictures</source>
        <translation>Bilder vergleichen</translation>
    </message>
    <message>
        <source>finishing</source>
        <translation>Abschließen</translation>
    </message>
    <message>
        <source>images</source>
        <translation>Bildern</translation>
    </message>
    <message>
        <source>segments</source>
        <translation>Segmenten</translation>
    </message>
    <message>
        <source>samples</source>
        <translation>Beispiele</translation>
    </message>
    <message>
        <source>files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>machines</source>
        <translation>Rechnern</translation>
    </message>
    <message>
        <source>pairs</source>
        <translation>Paaren</translation>
    </message>
    <message>
        <source>items</source>
        <translation>Teilen</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>copying torch</source>
        <translation>torch kopieren</translation>
    </message>
</context>
<context>
    <name>roadtune::studio::DataController</name>
    <message>
        <source>Open an index</source>
        <translation>Index öffnen</translation>
    </message>
    <message>
        <source>That run has not seen any image of the data that is open.</source>
        <translation>Dieser Lauf hat kein Bild der offenen Daten gesehen.</translation>
    </message>
    <message>
        <source>%1 was moved or deleted: tags, notes and views cannot be kept. Open it where it is now, or import its recordings again.</source>
        <translation>%1 wurde verschoben oder gelöscht: Schlagwörter, Notizen und Ansichten lassen sich nicht sichern. Öffne es am neuen Ort oder importiere die Aufnahmen noch einmal.</translation>
    </message>
    <message>
        <source>Locate…</source>
        <translation>Suchen…</translation>
    </message>
    <message>
        <source>%1 is no index. Recordings are imported into one.</source>
        <translation>%1 ist kein Index. Aufnahmen werden in einen importiert.</translation>
    </message>
    <message>
        <source>Import this folder</source>
        <translation>Diesen Ordner importieren</translation>
    </message>
</context>
<context>
    <name>roadtune::studio::DataExport</name>
    <message>
        <source>Where the export goes</source>
        <translation>Wohin der Export geht</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>Abgebrochen.</translation>
    </message>
    <message>
        <source>The export failed: %1</source>
        <translation>Der Export ist gescheitert: %1</translation>
    </message>
    <message>
        <source>%1 cannot be replaced.</source>
        <translation>%1 lässt sich nicht ersetzen.</translation>
    </message>
</context>
<context>
    <name>roadtune::studio::DataImport</name>
    <message>
        <source>Import recordings</source>
        <translation>Aufnahmen importieren</translation>
    </message>
    <message>
        <source>Where the index goes</source>
        <translation>Wohin der Index geht</translation>
    </message>
    <message>
        <source>An import is going on. Cancel it first, or wait for its end.</source>
        <translation>Ein Import läuft noch. Brich ihn ab oder warte, bis er fertig ist.</translation>
    </message>
    <message>
        <source>Looking</source>
        <translation>Ansehen</translation>
    </message>
    <message>
        <source>The first images show as soon as a recording is read.</source>
        <translation>Die ersten Bilder erscheinen, sobald eine Aufnahme gelesen ist.</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>Importieren</translation>
    </message>
    <message>
        <source>Imported to %1.</source>
        <translation>Importiert nach %1.</translation>
    </message>
    <message>
        <source>Cancelled. What was read so far is kept; the next import goes on from there.</source>
        <translation>Abgebrochen. Was gelesen wurde, bleibt; der nächste Import macht dort weiter.</translation>
    </message>
    <message>
        <source>The import failed: %1</source>
        <translation>Der Import ist gescheitert: %1</translation>
    </message>
    <message>
        <source>The address %1.</source>
        <translation>Die Adresse: %1.</translation>
    </message>
    <message>
        <source>Looking into the bucket</source>
        <translation>Blick in den Bucket</translation>
    </message>
    <message>
        <source>Adds to %1, where %2 images are already.</source>
        <translation>Kommt zu %1 hinzu, wo schon %2 Bilder sind.</translation>
    </message>
</context>
<context>
    <name>roadtune::studio::DataPredictions</name>
    <message>
        <source>Open predictions</source>
        <translation>Vorhersagen öffnen</translation>
    </message>
    <message>
        <source>Predictions (*.json *.jsonl);;All files (*)</source>
        <translation>Vorhersagen (*.json *.jsonl);;Alle Dateien (*)</translation>
    </message>
</context>
<context>
    <name>roadtune::studio::DataQuality</name>
    <message>
        <source>Comparing pictures</source>
        <translation>Bilder werden verglichen</translation>
    </message>
    <message>
        <source>Counting tokens</source>
        <translation>Token werden gezählt</translation>
    </message>
    <message>
        <source>Measuring</source>
        <translation>Messung läuft</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>Abgebrochen.</translation>
    </message>
    <message>
        <source>This cannot be measured: %1</source>
        <translation>Das lässt sich nicht messen: %1</translation>
    </message>
    <message>
        <source>Folder of the model</source>
        <translation>Ordner des Modells</translation>
    </message>
</context>
<context>
    <name>roadtune::studio::DataTokens</name>
    <message>
        <source>Choose a model on the Train page to see its tokens.</source>
        <translation>Wähle auf der Seite Training ein Modell, um seine Token zu sehen.</translation>
    </message>
</context>
<context>
    <name>roadtune::studio::DemoProject</name>
    <message>
        <source>Demo</source>
        <translation>Demo</translation>
    </message>
</context>
<context>
    <name>roadtune::studio::DesktopNotices</name>
    <message>
        <source>Show the run</source>
        <translation>Lauf zeigen</translation>
    </message>
</context>
<context>
    <name>roadtune::studio::FleetController</name>
    <message>
        <source>Preflight</source>
        <translation>Vor dem Start</translation>
    </message>
    <message>
        <source>It will be in no group.</source>
        <translation>Er gehört dann zu keiner Gruppe.</translation>
    </message>
    <message>
        <source>Group of %1</source>
        <translation>Gruppe von %1</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Sichern</translation>
    </message>
</context>
<context>
    <name>roadtune::studio::FolderRows</name>
    <message>
        <source>Folders with runs</source>
        <translation>Ordner mit Läufen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Look for runs in %1 no more</source>
        <translation>In %1 nicht mehr nach Läufen suchen</translation>
    </message>
</context>
<context>
    <name>roadtune::studio::HostQuestions</name>
    <message>
        <source>Is this the right machine?</source>
        <translation>Ist das der richtige Rechner?</translation>
    </message>
    <message>
        <source>%1 has not been seen before. Compare the fingerprint of its %2 key with the one its administrator gave you. If you trust it, it is remembered in known_hosts.</source>
        <translation>%1 ist unbekannt. Vergleiche den Fingerabdruck seines %2-Schlüssels mit dem, den du von seiner Verwaltung hast. Wenn du ihm traust, wird er in known_hosts gemerkt.</translation>
    </message>
    <message>
        <source>Trust and connect</source>
        <translation>Vertrauen und verbinden</translation>
    </message>
    <message>
        <source>Passphrase of a key</source>
        <translation>Passphrase eines Schlüssels</translation>
    </message>
    <message>
        <source>Passphrase</source>
        <translation>Passphrase</translation>
    </message>
    <message>
        <source>Unlock</source>
        <translation>Entsperren</translation>
    </message>
    <message>
        <source>Password</source>
        <translation>Passwort</translation>
    </message>
    <message>
        <source>%1 wants a password.</source>
        <translation>%1 verlangt ein Passwort.</translation>
    </message>
    <message>
        <source>Log in</source>
        <translation>Anmelden</translation>
    </message>
    <message>
        <source>The machine asks</source>
        <translation>Der Rechner fragt</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Antworten</translation>
    </message>
    <message>
        <source>That was not accepted. Try again.</source>
        <translation>Das wurde nicht angenommen. Bitte noch einmal.</translation>
    </message>
</context>
<context>
    <name>roadtune::studio::LeftOut</name>
    <message>
        <source>Resume from step %1</source>
        <translation>Ab Schritt %1 fortsetzen</translation>
    </message>
    <message>
        <source>The image has the tag %1 now</source>
        <translation>Das Bild hat jetzt das Schlagwort %1</translation>
    </message>
    <message>
        <source>%1 images have the tag %2 now</source>
        <translation>%1 Bilder haben jetzt das Schlagwort %2</translation>
    </message>
    <message>
        <source>%1. Training data with a query of its own needs `%2` there, too.</source>
        <translation>%1. Trainingsdaten mit eigener Abfrage brauchen `%2` auch dort.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>%1: new runs and branches learn without it, as `%2` in their settings says. A run that is resumed learns as before.</source>
        <translation>%1: Neue Läufe und Zweige lernen ohne, wie `%2` in ihren Einstellungen sagt. Ein Lauf, der fortgesetzt wird, lernt wie zuvor.</translation>
    </message>
    <message>
        <source>%1: new runs and branches learn without them, as `%2` in their settings says. A run that is resumed learns as before.</source>
        <translation>%1: Neue Läufe und Zweige lernen ohne sie, wie `%2` in ihren Einstellungen sagt. Ein Lauf, der fortgesetzt wird, lernt wie zuvor.</translation>
    </message>
</context>
<context>
    <name>roadtune::studio::MainWindow</name>
    <message>
        <source>help shortcuts keyboard</source>
        <translation>Hilfe Tastenkürzel Tastatur</translation>
    </message>
    <message>
        <source>preferences options</source>
        <translation>Voreinstellungen Optionen</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>Fleet</source>
        <translation>Flotte</translation>
    </message>
    <message>
        <source>Go to %1</source>
        <translation>Gehe zu %1</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Find a command</source>
        <translation>Befehl suchen</translation>
    </message>
    <message>
        <source>Show all keys</source>
        <translation>Alle Tasten zeigen</translation>
    </message>
    <message>
        <source>Find in this page</source>
        <translation>Auf dieser Seite suchen</translation>
    </message>
    <message>
        <source>Show or hide the left panel</source>
        <translation>Linke Leiste zeigen oder verbergen</translation>
    </message>
    <message>
        <source>Show or hide the right or lower panel</source>
        <translation>Rechte oder untere Leiste zeigen oder verbergen</translation>
    </message>
    <message>
        <source>Full screen</source>
        <translation>Vollbild</translation>
    </message>
    <message>
        <source>Documentation</source>
        <translation>Dokumentation</translation>
    </message>
    <message>
        <source>guide manual handbook reference</source>
        <translation>Anleitung Handbuch Referenz</translation>
    </message>
</context>
<context>
    <name>roadtune::studio::QueueController</name>
    <message>
        <source>%1 is out of the queue.</source>
        <translation>%1 ist aus der Warteschlange genommen.</translation>
    </message>
    <message>
        <source>%1 runs are out of the queue.</source>
        <translation>%1 Läufe sind aus der Warteschlange genommen.</translation>
    </message>
    <message>
        <source>%1 Ctrl+Z puts it back.</source>
        <translation>%1 Strg+Z stellt es zurück.</translation>
    </message>
</context>
<context>
    <name>roadtune::studio::QueueFeed</name>
    <message>
        <source>this machine</source>
        <translation>dieser Rechner</translation>
    </message>
</context>
<context>
    <name>roadtune::studio::RunDocument</name>
    <message>
        <source>typing</source>
        <translation>Tippen</translation>
    </message>
    <message>
        <source>painting</source>
        <translation>Malen</translation>
    </message>
    <message>
        <source>machines</source>
        <translation>Rechner</translation>
    </message>
</context>
<context>
    <name>roadtune::studio::RunResults</name>
    <message>
        <source>Report</source>
        <translation>Bericht</translation>
    </message>
    <message>
        <source>Merge</source>
        <translation>Verschmelzen</translation>
    </message>
    <message>
        <source>Predict</source>
        <translation>Vorhersagen</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>Abgebrochen.</translation>
    </message>
    <message>
        <source>%1 failed: %2</source>
        <translation>%1 ist fehlgeschlagen: %2</translation>
    </message>
    <message>
        <source>Written to %1</source>
        <translation>Geschrieben nach %1</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>Show in Data</source>
        <translation>In Daten zeigen</translation>
    </message>
</context>
<context>
    <name>roadtune::studio::RunsController</name>
    <message>
        <source>%1 is finished: every step is trained. To train longer, branch from its last checkpoint with more steps.</source>
        <translation>%1 ist fertig: jeder Schritt ist trainiert. Um länger zu trainieren, zweige vom letzten Checkpoint mit mehr Schritten ab.</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>The run goes on from %1.</source>
        <translation>Der Lauf geht ab %1 weiter.</translation>
    </message>
    <message>
        <source>%1 steps are done again.</source>
        <translation>%1 Schritte werden wiederholt.</translation>
    </message>
    <message>
        <source>Changed from the next step on.</source>
        <translation>Ab dem nächsten Schritt geändert.</translation>
    </message>
    <message>
        <source>The run is going on. Stop it first.</source>
        <translation>Der Lauf ist im Gang. Halte ihn zuerst an.</translation>
    </message>
    <message>
        <source>%1 is in the trash.</source>
        <translation>%1 liegt im Papierkorb.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Export the plots</source>
        <translation>Kurven exportieren</translation>
    </message>
    <message>
        <source>%1 cannot be written</source>
        <translation>%1 lässt sich nicht schreiben</translation>
    </message>
    <message>
        <source>Written to %1</source>
        <translation>Geschrieben nach %1</translation>
    </message>
    <message>
        <source>Try: %1</source>
        <translation>Versuche: %1</translation>
    </message>
    <message>
        <source>A checkpoint is written after the current step.</source>
        <translation>Nach dem laufenden Schritt wird ein Checkpoint geschrieben.</translation>
    </message>
    <message>
        <source>The run is being stopped.</source>
        <translation>Der Lauf wird angehalten.</translation>
    </message>
    <message>
        <source>The run writes a checkpoint after the current step and ends.</source>
        <translation>Der Lauf schreibt nach dem laufenden Schritt einen Checkpoint und endet.</translation>
    </message>
    <message>
        <source>The link to the run is down; the run itself goes on. %1</source>
        <translation>Die Verbindung zum Lauf ist unterbrochen; er selbst geht weiter. %1</translation>
    </message>
    <message>
        <source>Connect now</source>
        <translation>Jetzt verbinden</translation>
    </message>
    <message>
        <source>Watch a folder for runs</source>
        <translation>Ordner auf Läufe beobachten</translation>
    </message>
    <message>
        <source>The run is over on every machine.</source>
        <translation>Der Lauf ist auf jedem Rechner zu Ende.</translation>
    </message>
    <message>
        <source>Something of the run is left.</source>
        <translation>Vom Lauf ist etwas übrig.</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>Noch einmal nachsehen</translation>
    </message>
    <message>
        <source>Start again</source>
        <translation>Von vorn beginnen</translation>
    </message>
    <message>
        <source>No checkpoint was saved: it can only start from the beginning.</source>
        <translation>Es wurde kein Checkpoint gespeichert: Er kann nur von vorn beginnen.</translation>
    </message>
    <message>
        <source>A run needs a name.</source>
        <translation>Ein Lauf braucht einen Namen.</translation>
    </message>
    <message>
        <source>Another run has that name.</source>
        <translation>Ein anderer Lauf heißt schon so.</translation>
    </message>
    <message>
        <source>Rename %1</source>
        <translation>%1 umbenennen</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>A tag needs a name.</source>
        <translation>Ein Schlagwort braucht einen Namen.</translation>
    </message>
    <message>
        <source>The run has that tag.</source>
        <translation>Der Lauf hat dieses Schlagwort schon.</translation>
    </message>
    <message>
        <source>Tag %1</source>
        <translation>%1 mit Schlagwort versehen</translation>
    </message>
    <message>
        <source>Add tag</source>
        <translation>Hinzufügen</translation>
    </message>
    <message>
        <source>The program that started this run ended before every machine had answered. They were asked now, and the run goes on.</source>
        <translation>Das Programm, das diesen Lauf startete, endete, bevor jeder Rechner geantwortet hatte. Sie wurden jetzt gefragt, und der Lauf geht weiter.</translation>
    </message>
    <message>
        <source>Branch</source>
        <translation>Abzweigen</translation>
    </message>
    <message>
        <source>Save the picture of a plot</source>
        <translation>Bild eines Diagramms speichern</translation>
    </message>
    <message>
        <source>Picture (*.png)</source>
        <translation>Bild (*.png)</translation>
    </message>
    <message>
        <source>Drawing (*.svg)</source>
        <translation>Zeichnung (*.svg)</translation>
    </message>
    <message>
        <source>The run evaluates after the current step.</source>
        <translation>Der Lauf wertet nach dem jetzigen Schritt aus.</translation>
    </message>
    <message>
        <source>This run has nothing to evaluate on. A run with evaluation data, or a share held out for it, can be asked.</source>
        <translation>Dieser Lauf hat nichts, woran er auswerten könnte. Ein Lauf mit Auswertungsdaten oder einem zurückgehaltenen Anteil kann gefragt werden.</translation>
    </message>
    <message>
        <source>The run holds after the current step.</source>
        <translation>Der Lauf pausiert nach dem laufenden Schritt.</translation>
    </message>
    <message>
        <source>The run goes on.</source>
        <translation>Der Lauf geht weiter.</translation>
    </message>
</context>
<context>
    <name>roadtune::studio::RunsFromMachine</name>
    <message>
        <source>The Fleet page has no machine yet</source>
        <translation>Die Seite Flotte hat noch keinen Rechner</translation>
    </message>
    <message>
        <source>Looking for runs on %1 …</source>
        <translation>Suche nach Läufen auf %1…</translation>
    </message>
    <message>
        <source>%1 keeps no run that was started from another machine.</source>
        <translation>%1 hat keinen Lauf, der von einem anderen Rechner aus gestartet wurde.</translation>
    </message>
    <message>
        <source>ended</source>
        <translation>beendet</translation>
    </message>
    <message>
        <source>running</source>
        <translation>läuft</translation>
    </message>
    <message>
        <source>%1, %2, started %3</source>
        <translation>%1, %2, begonnen %3</translation>
    </message>
</context>
<context>
    <name>roadtune::studio::SampleVisit</name>
    <message>
        <source>The images of these samples are in no index: the run learnt from a file, or its data is gone.</source>
        <translation>Die Bilder dieser Beispiele sind in keinem Index: Der Lauf lernte aus einer Datei, oder seine Daten sind nicht mehr da.</translation>
    </message>
    <message>
        <source>%1 is open now: the run learnt from it.</source>
        <translation>%1 ist jetzt geöffnet: Daraus lernte der Lauf.</translation>
    </message>
    <message>
        <source>These are the images of the samples.</source>
        <translation>Das sind die Bilder der Beispiele.</translation>
    </message>
</context>
<context>
    <name>roadtune::studio::SettingsPanel</name>
    <message>
        <source>From the next start on.</source>
        <translation>Ab dem nächsten Start.</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Farben</translation>
    </message>
    <message>
        <source>As the desktop</source>
        <translation>Wie der Desktop</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Runs are looked for in</source>
        <translation>Läufe werden gesucht in</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>New runs go to</source>
        <translation>Neue Läufe liegen in</translation>
    </message>
    <message>
        <source>Folder of new runs</source>
        <translation>Ordner neuer Läufe</translation>
    </message>
    <message>
        <source>Choose a folder</source>
        <translation>Ordner wählen</translation>
    </message>
    <message>
        <source>A whole path is needed, from / on.</source>
        <translation>Nötig ist ein ganzer Pfad, der mit / beginnt.</translation>
    </message>
    <message>
        <source>%1 is a file.</source>
        <translation>%1 ist eine Datei.</translation>
    </message>
    <message>
        <source>Nothing can be written to %1.</source>
        <translation>In %1 kann nichts geschrieben werden.</translation>
    </message>
</context>
<context>
    <name>roadtune::studio::StopProof</name>
    <message>
        <source>✓ %1: no process is left</source>
        <translation>✓ %1: kein Prozess ist übrig</translation>
    </message>
    <message>
        <source>✗ %1: %2</source>
        <translation>✗ %1: %2</translation>
    </message>
    <message>
        <source>✓ %1: no process is left, GPU memory is back</source>
        <translation>✓ %1: kein Prozess ist übrig, der GPU-Speicher ist zurück</translation>
    </message>
    <message>
        <source>✓ %1: no process is left, but the driver still counts one on a card</source>
        <translation>✓ %1: kein Prozess ist übrig, aber der Treiber zählt noch einen auf einer Karte</translation>
    </message>
</context>
<context>
    <name>roadtune::studio::Studio</name>
    <message>
        <source>Start run</source>
        <translation>Lauf starten</translation>
    </message>
    <message>
        <source>Save the configuration</source>
        <translation>Konfiguration sichern</translation>
    </message>
    <message>
        <source>Open the demo project</source>
        <translation>Demo-Projekt öffnen</translation>
    </message>
    <message>
        <source>Add machines to the fleet</source>
        <translation>Rechner zur Flotte hinzufügen</translation>
    </message>
    <message>
        <source>Check all machines</source>
        <translation>Alle Rechner prüfen</translation>
    </message>
    <message>
        <source>Import recordings</source>
        <translation>Aufnahmen importieren</translation>
    </message>
    <message>
        <source>Export the images of the query</source>
        <translation>Bilder der Abfrage exportieren</translation>
    </message>
    <message>
        <source>Show how good the data is for training</source>
        <translation>Zeigen, was die Daten fürs Training taugen</translation>
    </message>
    <message>
        <source>Open an index</source>
        <translation>Index öffnen</translation>
    </message>
    <message>
        <source>Light theme</source>
        <translation>Helle Farben</translation>
    </message>
    <message>
        <source>Dark theme</source>
        <translation>Dunkle Farben</translation>
    </message>
    <message>
        <source>Theme of the desktop</source>
        <translation>Farben des Desktops</translation>
    </message>
    <message>
        <source>Language: %1</source>
        <translation>Sprache: %1</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>The demo could not be made: %1</source>
        <translation>Die Demo konnte nicht angelegt werden: %1</translation>
    </message>
    <message>
        <source>The language changes at the next start.</source>
        <translation>Die Sprache wechselt beim nächsten Start.</translation>
    </message>
    <message>
        <source>Put the run into the queue</source>
        <translation>Lauf in die Warteschlange stellen</translation>
    </message>
    <message>
        <source>Start the queue</source>
        <translation>Warteschlange starten</translation>
    </message>
    <message>
        <source>Pause the queue; what runs goes on</source>
        <translation>Warteschlange anhalten; was läuft, geht weiter</translation>
    </message>
    <message>
        <source>%1 has not started yet.</source>
        <translation>%1 hat noch nicht begonnen.</translation>
    </message>
    <message>
        <source>It starts when its turn comes and its machines are free.</source>
        <translation>Er startet, wenn er an der Reihe ist und seine Rechner frei sind.</translation>
    </message>
    <message>
        <source>Show the queue</source>
        <translation>Warteschlange zeigen</translation>
    </message>
    <message>
        <source>It is in the queue. Nothing starts the runs of the queue yet.</source>
        <translation>Er steht in der Warteschlange. Noch startet nichts ihre Läufe.</translation>
    </message>
    <message>
        <source>%1 and %2 in %3</source>
        <translation>%1 und %2 in %3</translation>
    </message>
    <message>
        <source>1 image</source>
        <translation>1 Bild</translation>
    </message>
    <message>
        <source>%1 images</source>
        <translation>%1 Bilder</translation>
    </message>
    <message>
        <source>1 box</source>
        <translation>1 Box</translation>
    </message>
    <message>
        <source>%1 boxes</source>
        <translation>%1 Boxen</translation>
    </message>
    <message>
        <source>1 recording</source>
        <translation>1 Aufnahme</translation>
    </message>
    <message>
        <source>%1 recordings</source>
        <translation>%1 Aufnahmen</translation>
    </message>
    <message>
        <source>Train on these images</source>
        <translation>Mit diesen Bildern trainieren</translation>
    </message>
    <message>
        <source>Choose a run first.</source>
        <translation>Wähle zuerst einen Lauf.</translation>
    </message>
    <message>
        <source>Write a report of the run</source>
        <translation>Einen Bericht über den Lauf schreiben</translation>
    </message>
    <message>
        <source>Merge the run&apos;s adapter into its model</source>
        <translation>Den Adapter des Laufs mit seinem Modell verschmelzen</translation>
    </message>
    <message>
        <source>Predict with the model of the run</source>
        <translation>Mit dem Modell des Laufs vorhersagen</translation>
    </message>
    <message>
        <source>Dry run: prove that the run will work</source>
        <translation>Probelauf: zeigen, dass der Lauf gelingen wird</translation>
    </message>
    <message numerus="yes">
        <source>%n runs start when their turn comes and their machines are free.</source>
        <translation>
            <numerusform>%n Lauf startet, wenn er an der Reihe ist und seine Rechner frei sind.</numerusform>
            <numerusform>%n Läufe starten, wenn sie an der Reihe sind und ihre Rechner frei sind.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n runs are in the queue. Nothing starts the runs of the queue yet.</source>
        <translation>
            <numerusform>%n Lauf steht in der Warteschlange. Noch startet nichts die Läufe der Warteschlange.</numerusform>
            <numerusform>%n Läufe stehen in der Warteschlange. Noch startet nichts die Läufe der Warteschlange.</numerusform>
        </translation>
    </message>
    <message>
        <source>Queue variants of the run</source>
        <translation>Varianten des Laufs in die Warteschlange stellen</translation>
    </message>
    <message>
        <source>What cost the run most comes first.</source>
        <translation>Was den Lauf am meisten kostete, steht vorn.</translation>
    </message>
</context>
<context>
    <name>roadtune::studio::TrainController</name>
    <message>
        <source>branching</source>
        <translation>Abzweigen</translation>
    </message>
    <message>
        <source>This run starts from %1. Change what you like, then start it.</source>
        <translation>Dieser Lauf beginnt bei %1. Ändere, was du magst, und starte ihn.</translation>
    </message>
    <message>
        <source>New run</source>
        <translation>Neuer Lauf</translation>
    </message>
    <message>
        <source>making it fit</source>
        <translation>Passend machen</translation>
    </message>
    <message>
        <source>Open a configuration</source>
        <translation>Konfiguration öffnen</translation>
    </message>
    <message>
        <source>Configurations (*.yaml *.yml)</source>
        <translation>Konfigurationen (*.yaml *.yml)</translation>
    </message>
    <message>
        <source>Save the configuration</source>
        <translation>Konfiguration sichern</translation>
    </message>
    <message>
        <source>One setting stands in the way: %1</source>
        <translation>Eine Einstellung steht im Weg: %1</translation>
    </message>
    <message>
        <source>Choose at least one machine.</source>
        <translation>Wähle mindestens einen Rechner.</translation>
    </message>
    <message>
        <source>Launch</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>Checking…</source>
        <translation>Prüfung läuft…</translation>
    </message>
    <message>
        <source>Not checked yet</source>
        <translation>Noch nicht geprüft</translation>
    </message>
    <message>
        <source>%1 machines are ready</source>
        <translation>%1 Rechner sind bereit</translation>
    </message>
    <message>
        <source> (and %1 more)</source>
        <translation> (und %1 weitere)</translation>
    </message>
    <message>
        <source>%1, a file of %2, is taken over.</source>
        <translation>%1, eine Datei von %2, ist übernommen.</translation>
    </message>
    <message numerus="yes">
        <source>%1, a file of %2, is taken over but for %n settings; the text ends with them.</source>
        <translation>
            <numerusform>%1, eine Datei von %2, ist bis auf %n Einstellung übernommen; mit ihr endet der Text.</numerusform>
            <numerusform>%1, eine Datei von %2, ist bis auf %n Einstellungen übernommen; mit ihnen endet der Text.</numerusform>
        </translation>
    </message>
    <message>
        <source>Take over a file of another trainer</source>
        <translation>Datei eines anderen Trainers übernehmen</translation>
    </message>
    <message>
        <source>The text cannot be read at line %1, column %2: %3</source>
        <translation>Der Text ist bei Zeile %1, Spalte %2 nicht lesbar: %3</translation>
    </message>
    <message>
        <source>this machine</source>
        <translation>diesem Rechner</translation>
    </message>
    <message>
        <source>Dry run</source>
        <translation>Probelauf</translation>
    </message>
    <message>
        <source>Something stands in the way; the message above says what.</source>
        <translation>Etwas steht im Weg; die Meldung oben sagt, was.</translation>
    </message>
    <message>
        <source>These are the settings of %1. Change what you like, then start it.</source>
        <translation>Dies sind die Einstellungen von %1. Ändere, was du magst, und starte den Lauf.</translation>
    </message>
    <message>
        <source>The edits of %1 are not saved, but kept.</source>
        <translation>Die Änderungen an %1 sind nicht gespeichert, aber aufgehoben.</translation>
    </message>
    <message>
        <source>Back to %1</source>
        <translation>Zurück zu %1</translation>
    </message>
    <message>
        <source>edits that were not saved</source>
        <translation>Änderungen, die nicht gespeichert waren</translation>
    </message>
    <message>
        <source>Edits that were not saved are back.</source>
        <translation>Änderungen, die nicht gespeichert waren, sind wieder da.</translation>
    </message>
    <message>
        <source>%1 was changed elsewhere since.</source>
        <translation>%1 wurde seither anderswo geändert.</translation>
    </message>
    <message>
        <source>Discard the edits</source>
        <translation>Änderungen verwerfen</translation>
    </message>
    <message>
        <source>loading it again</source>
        <translation>neu laden</translation>
    </message>
    <message>
        <source>%1 was changed elsewhere and is loaded again.</source>
        <translation>%1 wurde anderswo geändert und ist neu geladen.</translation>
    </message>
    <message>
        <source>%1 was changed elsewhere while it is edited here.</source>
        <translation>%1 wurde anderswo geändert, während es hier bearbeitet wird.</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>Neu laden</translation>
    </message>
    <message>
        <source>%1 was changed elsewhere since it was opened. Nothing is saved yet.</source>
        <translation>%1 wurde anderswo geändert, seit es geöffnet wurde. Noch ist nichts gespeichert.</translation>
    </message>
    <message>
        <source>Keep mine</source>
        <translation>Meine behalten</translation>
    </message>
    <message>
        <source>Use %1</source>
        <translation>%1 nehmen</translation>
    </message>
    <message>
        <source>It learns without the images that were left out of training.</source>
        <translation>Er lernt ohne die Bilder, die vom Training ausgenommen wurden.</translation>
    </message>
    <message>
        <source>%1 settings stand in the way. The first is %2</source>
        <translation>%1 Einstellungen stehen im Weg. Die erste ist %2</translation>
    </message>
    <message>
        <source>Still to choose: %1</source>
        <translation>Noch zu wählen: %1</translation>
    </message>
    <message>
        <source>The folder holds a run already, so this one will start in “%1”.</source>
        <translation>Im Ordner liegt schon ein Lauf, darum beginnt dieser in „%1“.</translation>
    </message>
    <message>
        <source>%1: ready</source>
        <translation>%1: bereit</translation>
    </message>
    <message>
        <source>“%1” holds a run already, so this one is “%2”.</source>
        <translation>In „%1“ liegt schon ein Lauf, darum heißt dieser „%2“.</translation>
    </message>
    <message>
        <source>What is edited here is not kept until it is saved: %1</source>
        <translation>Was hier geändert wird, bleibt erst erhalten, wenn es gespeichert ist: %1</translation>
    </message>
    <message>
        <source>What was edited here would be lost, because it could not be kept: %1. Save it to another folder, or close the window again to give it up.</source>
        <translation>Was hier geändert wurde, ginge verloren, denn es konnte nicht aufgehoben werden: %1. Speichere es in einem anderen Ordner, oder schließe das Fenster noch einmal, um es aufzugeben.</translation>
    </message>
    <message>
        <source>Configurations and programs (*.yaml *.yml *.json *.ipynb *.py *.sh)</source>
        <translation>Konfigurationen und Programme (*.yaml *.yml *.json *.ipynb *.py *.sh)</translation>
    </message>
    <message>
        <source>%1, a file of %2, is taken over but for one setting; the text ends with it.</source>
        <translation>%1, eine Datei von %2, ist bis auf eine Einstellung übernommen; mit ihr endet der Text.</translation>
    </message>
    <message>
        <source>This run starts at step 0 with the weights of %1. Change what you like, then start it.</source>
        <translation>Dieser Lauf beginnt bei Schritt 0 mit den Gewichten von %1. Ändere, was du möchtest, und starte ihn dann.</translation>
    </message>
    <message>
        <source>Cancelled. What was imported so far is kept; the next start goes on from there.</source>
        <translation>Abgebrochen. Was bisher importiert wurde, bleibt; der nächste Start macht dort weiter.</translation>
    </message>
    <message>
        <source>Import it</source>
        <translation>Importieren</translation>
    </message>
</context>
<context>
    <name>roadtune::studio::TrainOn</name>
    <message>
        <source>Saved views</source>
        <translation>Gesicherte Ansichten</translation>
    </message>
    <message>
        <source>Data that is open</source>
        <translation>Geöffnete Daten</translation>
    </message>
    <message>
        <source>Open data first: a run learns from what is on show there.</source>
        <translation>Öffne zuerst Daten: Ein Lauf lernt von dem, was dort zu sehen ist.</translation>
    </message>
    <message>
        <source>training data</source>
        <translation>Trainingsdaten</translation>
    </message>
    <message>
        <source>The run learns from all of %1 now.</source>
        <translation>Der Lauf lernt jetzt von allem in %1.</translation>
    </message>
    <message>
        <source>The run learns from %1 now, where %2</source>
        <translation>Der Lauf lernt jetzt von %1, wo gilt: %2</translation>
    </message>
</context>
<context>
    <name>roadtune::studio::UndoCommands</name>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>Wiederholen</translation>
    </message>
</context>
<context>
    <name>roadtune::studio::WorstSamples</name>
    <message>
        <source>This run has kept no losses of its samples. It would with record_sample_losses: true.</source>
        <translation>Dieser Lauf hat die Verluste seiner Beispiele nicht aufgehoben. Mit record_sample_losses: true täte er es.</translation>
    </message>
    <message>
        <source>The losses of its samples come with the first steps.</source>
        <translation>Die Verluste seiner Beispiele kommen mit den ersten Schritten.</translation>
    </message>
    <message>
        <source>The losses of its samples lie on %1 and are not here yet. They come when that is reached; `roadtune attach` on the run&apos;s folder brings them, too.</source>
        <translation>Die Verluste seiner Beispiele liegen auf %1 und sind noch nicht hier. Sie kommen, sobald das erreicht wird; auch `roadtune attach` mit dem Ordner des Laufs bringt sie.</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::AddMachinePanel</name>
    <message>
        <source>Add</source>
        <translation>Hinzufügen</translation>
    </message>
    <message>
        <source>Machines of your ssh configuration</source>
        <translation>Rechner deiner ssh-Konfiguration</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>Rechner</translation>
    </message>
    <message>
        <source>user@machine:22, or a name of ~/.ssh/config</source>
        <translation>user@rechner:22 oder ein Name aus ~/.ssh/config</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>Gruppe</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>Keys, users, ports and jump hosts are taken from your ssh configuration.</source>
        <translation>Schlüssel, Benutzer, Ports und Sprungrechner kommen aus deiner ssh-Konfiguration.</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Add machines</source>
        <translation>Rechner hinzufügen</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::AnatomyBand</name>
    <message>
        <source>waiting for data</source>
        <translation>Warten auf Daten</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>vorwärts</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>rückwärts</translation>
    </message>
    <message>
        <source>communication</source>
        <translation>Austausch</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>Optimierer</translation>
    </message>
    <message>
        <source>other</source>
        <translation>Übriges</translation>
    </message>
    <message>
        <source>Where a step&apos;s time goes: %1</source>
        <translation>Wohin die Zeit eines Schritts geht: %1</translation>
    </message>
    <message>
        <source>A step takes %1, of which</source>
        <translation>Ein Schritt dauert %1, davon</translation>
    </message>
    <message>
        <source>copy</source>
        <translation>kopieren</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::CameraStrip</name>
    <message>
        <source>Cameras of this frame</source>
        <translation>Kameras dieses Frames</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::ChangedMarks</name>
    <message>
        <source>%1  (was: %2)</source>
        <translation>%1  (war: %2)</translation>
    </message>
    <message>
        <source>%1
The time before: %2</source>
        <translation>%1
Das Mal davor: %2</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::CommandPalette</name>
    <message>
        <source>Do anything: type a few letters</source>
        <translation>Alles tun: ein paar Buchstaben tippen</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>Befehle</translation>
    </message>
    <message>
        <source>Nothing is called that. Try another word for it; F1 shows what the keys do.</source>
        <translation>Nichts heißt so. Versuch ein anderes Wort dafür; F1 zeigt, was die Tasten tun.</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::ComparePanel</name>
    <message>
        <source>not set</source>
        <translation>nicht gesetzt</translation>
    </message>
    <message>
        <source>(a list)</source>
        <translation>(eine Liste)</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>Einstellung</translation>
    </message>
    <message>
        <source>That run</source>
        <translation>Jener Lauf</translation>
    </message>
    <message>
        <source>Here</source>
        <translation>Hier</translation>
    </message>
    <message>
        <source>Run to compare with</source>
        <translation>Lauf zum Vergleichen</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>Unterschiede</translation>
    </message>
    <message>
        <source>Compare with</source>
        <translation>Vergleichen mit</translation>
    </message>
    <message>
        <source>choose a run</source>
        <translation>einen Lauf wählen</translation>
    </message>
    <message>
        <source>Nothing is different.</source>
        <translation>Es gibt keinen Unterschied.</translation>
    </message>
    <message>
        <source>1 difference</source>
        <translation>1 Unterschied</translation>
    </message>
    <message>
        <source>%1 differences</source>
        <translation>%1 Unterschiede</translation>
    </message>
    <message>
        <source>Compare with a run</source>
        <translation>Mit einem Lauf vergleichen</translation>
    </message>
    <message>
        <source>Choose a run above to see which settings differ from it.</source>
        <translation>Wähle oben einen Lauf, um zu sehen, welche Einstellungen von ihm abweichen.</translation>
    </message>
    <message>
        <source>No run yet</source>
        <translation>Noch kein Lauf</translation>
    </message>
    <message>
        <source>Once there are runs, this shows which settings differ from one of them.</source>
        <translation>Sobald es Läufe gibt, steht hier, welche Einstellungen von einem davon abweichen.</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::CostPanel</name>
    <message>
        <source> × %1 accumulated</source>
        <translation> × %1 gesammelt</translation>
    </message>
    <message>
        <source> × %1 processes</source>
        <translation> × %1 Prozesse</translation>
    </message>
    <message>
        <source> × %1 machines</source>
        <translation> × %1 Rechner</translation>
    </message>
    <message>
        <source>%1 samples a step</source>
        <translation>%1 Beispiele je Schritt</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Make it fit</source>
        <translation>Passend machen</translation>
    </message>
    <message>
        <source>Start run</source>
        <translation>Lauf starten</translation>
    </message>
    <message>
        <source>Start run  (Ctrl+Enter)</source>
        <translation>Lauf starten  (Strg+Enter)</translation>
    </message>
    <message>
        <source>What it costs</source>
        <translation>Was es kostet</translation>
    </message>
    <message>
        <source>Trained parameters</source>
        <translation>Trainierte Parameter</translation>
    </message>
    <message>
        <source>Effective batch</source>
        <translation>Wirksame Batchgröße</translation>
    </message>
    <message>
        <source>%1 steps</source>
        <translation>%1 Schritte</translation>
    </message>
    <message>
        <source> over %1 samples</source>
        <translation> über %1 Beispiele</translation>
    </message>
    <message>
        <source>%1 passes over the training data</source>
        <translation>%1 Durchgänge durch die Trainingsdaten</translation>
    </message>
    <message>
        <source>about %1 at the pace of “%2”</source>
        <translation>etwa %1 im Tempo von „%2“</translation>
    </message>
    <message>
        <source>%1 on disk for each checkpoint, %2 kept</source>
        <translation>%1 auf der Platte je Checkpoint, %2 bleiben</translation>
    </message>
    <message>
        <source>%1 on disk for each checkpoint</source>
        <translation>%1 auf der Platte je Checkpoint</translation>
    </message>
    <message>
        <source>known once what is trained fits the model</source>
        <translation>bekannt, sobald zum Modell passt, was trainiert wird</translation>
    </message>
    <message>
        <source>known once a model is chosen</source>
        <translation>bekannt, sobald ein Modell gewählt ist</translation>
    </message>
    <message>
        <source>%1 % of %2</source>
        <translation>%1 % von %2</translation>
    </message>
    <message>
        <source>%1 for each process</source>
        <translation>%1 je Prozess</translation>
    </message>
    <message>
        <source>%1 of %2 for each process</source>
        <translation>%1 von %2 je Prozess</translation>
    </message>
    <message>
        <source>. It does not fit: train less of it, with LoRA or in 4 bits.</source>
        <translation>. Es passt nicht: trainiere weniger davon, mit LoRA oder in 4 Bit.</translation>
    </message>
    <message>
        <source>. It would fit with %1.</source>
        <translation>. Es würde passen mit %1.</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>Startet…</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>Einreihen</translation>
    </message>
    <message>
        <source>Let it start when its turn comes and its machines are free</source>
        <translation>Starten lassen, wenn er an der Reihe ist und seine Rechner frei sind</translation>
    </message>
    <message>
        <source>Dry run</source>
        <translation>Probelauf</translation>
    </message>
    <message>
        <source>Prove in about a minute that it will work: the longest samples, an evaluation, a checkpoint</source>
        <translation>In etwa einer Minute beweisen, dass es gelingen wird: die längsten Beispiele, eine Auswertung, ein Checkpoint</translation>
    </message>
    <message>
        <source>For %1 text tokens a sample, as many as the greatest length allows.</source>
        <translation>Für %1 Texttoken je Beispiel, so viele die größte Länge erlaubt.</translation>
    </message>
    <message>
        <source>For %1 text tokens a sample, until the data is imported. A run imports recordings when it starts.</source>
        <translation>Für %1 Texttoken je Beispiel, bis die Daten importiert sind. Ein Lauf importiert Aufnahmen, wenn er beginnt.</translation>
    </message>
    <message>
        <source>For %1 text tokens a sample, as the longest of %2 has.</source>
        <translation>Für %1 Texttoken je Beispiel, wie das längste von %2 sie hat.</translation>
    </message>
    <message>
        <source>For %1 text tokens a sample, as the longest of %2 of %3 has.</source>
        <translation>Für %1 Texttoken je Beispiel, wie das längste von %2 aus %3 sie hat.</translation>
    </message>
    <message>
        <source>1 step</source>
        <translation>1 Schritt</translation>
    </message>
    <message>
        <source> over 1 sample</source>
        <translation> über 1 Beispiel</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source> after the checkpoint</source>
        <translation> nach dem Checkpoint</translation>
    </message>
    <message>
        <source>Variants…</source>
        <translation>Varianten…</translation>
    </message>
    <message>
        <source>Queue several runs that differ in some settings</source>
        <translation>Mehrere Läufe in die Warteschlange stellen, die sich in einigen Einstellungen unterscheiden</translation>
    </message>
    <message>
        <source>. It could be faster: %1.</source>
        <translation>. Es ginge schneller: %1.</translation>
    </message>
    <message>
        <source>Make it faster</source>
        <translation>Schneller machen</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::CurvePlot</name>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>%1 samples</source>
        <translation>%1 Beispiele</translation>
    </message>
    <message>
        <source>No values.</source>
        <translation>Keine Werte.</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::DataBar</name>
    <message>
        <source>Saved views</source>
        <translation>Gesicherte Ansichten</translation>
    </message>
    <message>
        <source>Views</source>
        <translation>Ansichten</translation>
    </message>
    <message>
        <source>Size of the thumbnails</source>
        <translation>Größe der Vorschaubilder</translation>
    </message>
    <message>
        <source>Size of the thumbnails (Ctrl+wheel)</source>
        <translation>Größe der Vorschaubilder (Strg+Rad)</translation>
    </message>
    <message>
        <source>Boxes over the thumbnails</source>
        <translation>Boxen über den Vorschaubildern</translation>
    </message>
    <message>
        <source>Data quality: how good it is for training</source>
        <translation>Datenqualität: wie gut sie fürs Training ist</translation>
    </message>
    <message>
        <source>Export these images</source>
        <translation>Diese Bilder exportieren</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>Reihenfolge</translation>
    </message>
    <message>
        <source>By %1</source>
        <translation>Nach %1</translation>
    </message>
    <message>
        <source>No saved views yet</source>
        <translation>Noch keine Ansichten</translation>
    </message>
    <message>
        <source>Save this view…</source>
        <translation>Diese Ansicht sichern…</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>By the loss in %1</source>
        <translation>Nach dem Verlust in %1</translation>
    </message>
    <message>
        <source>A view needs a name.</source>
        <translation>Eine Ansicht braucht einen Namen.</translation>
    </message>
    <message>
        <source>Takes the place of the view of that name.</source>
        <translation>Ersetzt die Ansicht dieses Namens.</translation>
    </message>
    <message>
        <source>Save this view</source>
        <translation>Diese Ansicht sichern</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Sichern</translation>
    </message>
    <message>
        <source>Group by segment</source>
        <translation>Nach Segment gruppieren</translation>
    </message>
    <message>
        <source>Set up a run that learns from these images</source>
        <translation>Einen Lauf einrichten, der von diesen Bildern lernt</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>Trainieren</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::DataPage</name>
    <message>
        <source>No data open</source>
        <translation>Keine Daten geöffnet</translation>
    </message>
    <message>
        <source>Import a folder</source>
        <translation>Ordner importieren</translation>
    </message>
    <message>
        <source>Open an index</source>
        <translation>Index öffnen</translation>
    </message>
    <message>
        <source>Open the demo project</source>
        <translation>Demo-Projekt öffnen</translation>
    </message>
    <message>
        <source>Import recordings</source>
        <translation>Aufnahmen importieren</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Data quality</source>
        <translation>Datenqualität</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>Open another index</source>
        <translation>Anderen Index öffnen</translation>
    </message>
    <message>
        <source>No image matches. Loosen the query, or clear it with Esc.</source>
        <translation>Kein Bild passt. Lockere die Abfrage oder lösche sie mit Esc.</translation>
    </message>
    <message>
        <source>Importing</source>
        <translation>Import läuft</translation>
    </message>
    <message>
        <source>The data of last time is not there</source>
        <translation>Die Daten vom letzten Mal sind nicht da</translation>
    </message>
    <message>
        <source>%1 was moved or deleted. Open it where it is now, or import its recordings again.</source>
        <translation>%1 wurde verschoben oder gelöscht. Öffne es am neuen Ort oder importiere die Aufnahmen noch einmal.</translation>
    </message>
    <message>
        <source>Drop a folder of recordings here, or open an index that was made before.</source>
        <translation>Zieh einen Ordner mit Aufnahmen hierher oder öffne einen früher angelegten Index.</translation>
    </message>
    <message>
        <source>%1 Before, the query was: %2</source>
        <translation>%1 Davor war die Abfrage: %2</translation>
    </message>
    <message>
        <source>Show all images</source>
        <translation>Alle Bilder zeigen</translation>
    </message>
    <message>
        <source>Back to that query</source>
        <translation>Zurück zu dieser Abfrage</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::DryRunPanel</name>
    <message>
        <source>proved</source>
        <translation>bewiesen</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>gescheitert</translation>
    </message>
    <message>
        <source>Dry run</source>
        <translation>Probelauf</translation>
    </message>
    <message>
        <source>End the dry run</source>
        <translation>Probelauf beenden</translation>
    </message>
    <message>
        <source>Put away</source>
        <translation>Wegräumen</translation>
    </message>
    <message>
        <source>Under way on %1…</source>
        <translation>Läuft auf %1…</translation>
    </message>
    <message>
        <source>With these settings the run will work.</source>
        <translation>Mit diesen Einstellungen wird der Lauf gelingen.</translation>
    </message>
    <message>
        <source>Proved with settings that have changed since.</source>
        <translation>Bewiesen mit Einstellungen, die seither geändert wurden.</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::ExportPanel</name>
    <message>
        <source>Written.</source>
        <translation>Geschrieben.</translation>
    </message>
    <message>
        <source>%1 images with %2 boxes were written.</source>
        <translation>%1 Bilder mit %2 Boxen wurden geschrieben.</translation>
    </message>
    <message>
        <source>%1 were left out because nobody labelled them.</source>
        <translation>%1 blieben weg, weil niemand sie beschriftet hat.</translation>
    </message>
    <message>
        <source>%1 were left out because their picture cannot be read.</source>
        <translation>%1 blieben weg, weil ihr Bild nicht gelesen werden kann.</translation>
    </message>
    <message>
        <source>Waymo&apos;s attribution lies beside them.</source>
        <translation>Waymos Namensnennung liegt dabei.</translation>
    </message>
    <message>
        <source>Copy the pictures too, unchanged</source>
        <translation>Bilder unverändert mitkopieren</translation>
    </message>
    <message>
        <source>Shorter side of the smallest box</source>
        <translation>Kürzere Seite der kleinsten Box</translation>
    </message>
    <message>
        <source>Every so many frames of a recording</source>
        <translation>Alle so viele Frames einer Aufnahme</translation>
    </message>
    <message>
        <source>Recordings held out for validation</source>
        <translation>Aufnahmen, die für die Validierung bleiben</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>Format</translation>
    </message>
    <message>
        <source>Where the export goes</source>
        <translation>Wohin der Export geht</translation>
    </message>
    <message>
        <source>Choose where it goes</source>
        <translation>Ziel wählen</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Goes to</source>
        <translation>Geht nach</translation>
    </message>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
    <message>
        <source> px</source>
        <translation> px</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>Where the smallest box is measured</source>
        <translation>Wo die kleinste Box gemessen wird</translation>
    </message>
    <message>
        <source>in the picture</source>
        <translation>im Bild</translation>
    </message>
    <message>
        <source>at %1 pixels</source>
        <translation>bei %1 Pixeln</translation>
    </message>
    <message>
        <source>Smallest box</source>
        <translation>Kleinste Box</translation>
    </message>
    <message>
        <source>The shorter side; smaller boxes are left out</source>
        <translation>Die kürzere Seite; kleinere Boxen bleiben weg</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>Gemessen</translation>
    </message>
    <message>
        <source>A model squashes every picture to a square of its size</source>
        <translation>Ein Modell staucht jedes Bild zu einem Quadrat seiner Größe</translation>
    </message>
    <message>
        <source>Keep every nth frame</source>
        <translation>Jeden n-ten Frame behalten</translation>
    </message>
    <message>
        <source>Neighbouring frames of a recording look alike</source>
        <translation>Benachbarte Frames einer Aufnahme gleichen sich</translation>
    </message>
    <message>
        <source>Held out for validation</source>
        <translation>Für die Validierung</translation>
    </message>
    <message>
        <source>Whole recordings, so that no scene is on both sides</source>
        <translation>Ganze Aufnahmen, damit keine Szene auf beiden Seiten steht</translation>
    </message>
    <message>
        <source>All %1 images</source>
        <translation>Alle %1 Bilder</translation>
    </message>
    <message>
        <source>%1 images of the query</source>
        <translation>%1 Bilder der Abfrage</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>Beginnt</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>Ersetzen</translation>
    </message>
    <message>
        <source>%1 is there already.</source>
        <translation>%1 gibt es schon.</translation>
    </message>
    <message>
        <source>%1 is there already and holds more than an export of this window.</source>
        <translation>%1 gibt es schon, und es enthält mehr als einen Export dieses Fensters.</translation>
    </message>
    <message>
        <source>Use %1</source>
        <translation>%1 nehmen</translation>
    </message>
    <message>
        <source>1 image</source>
        <translation>1 Bild</translation>
    </message>
    <message>
        <source>1 image with 1 box was written.</source>
        <translation>1 Bild mit 1 Box wurde geschrieben.</translation>
    </message>
    <message>
        <source>1 image with %1 boxes was written.</source>
        <translation>1 Bild mit %1 Boxen wurde geschrieben.</translation>
    </message>
    <message>
        <source>%1 images with 1 box were written.</source>
        <translation>%1 Bilder mit 1 Box wurden geschrieben.</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::FacetHistogram</name>
    <message>
        <source>Drag to choose a stretch, click to let go of it</source>
        <translation>Ziehen wählt einen Bereich, ein Klick löst ihn</translation>
    </message>
    <message>
        <source>from %1</source>
        <translation>ab %1</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::FacetPanel</name>
    <message>
        <source>Labelled</source>
        <translation>Beschriftet</translation>
    </message>
    <message>
        <source>Not labelled</source>
        <translation>Nicht beschriftet</translation>
    </message>
    <message>
        <source>Not known</source>
        <translation>Unbekannt</translation>
    </message>
    <message>
        <source>Split</source>
        <translation>Split</translation>
    </message>
    <message>
        <source>Camera</source>
        <translation>Kamera</translation>
    </message>
    <message>
        <source>Time of day</source>
        <translation>Tageszeit</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>Ort</translation>
    </message>
    <message>
        <source>Weather</source>
        <translation>Wetter</translation>
    </message>
    <message>
        <source>Labels</source>
        <translation>Labels</translation>
    </message>
    <message>
        <source>Shows</source>
        <translation>Zeigt</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>Schlagwörter</translation>
    </message>
    <message>
        <source>Height of boxes</source>
        <translation>Höhe der Boxen</translation>
    </message>
    <message>
        <source>Boxes per image</source>
        <translation>Boxen je Bild</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::FieldRow</name>
    <message>
        <source>Back to the default</source>
        <translation>Zurück zur Vorgabe</translation>
    </message>
    <message>
        <source>Choose a folder</source>
        <translation>Ordner wählen</translation>
    </message>
    <message>
        <source>Edit as YAML</source>
        <translation>Als YAML bearbeiten</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::FleetPage</name>
    <message>
        <source>Add machines that you reach with ssh, and runs can train on several at once.
Nothing is installed there: the studio brings what it needs.</source>
        <translation>Füge Rechner hinzu, die du mit ssh erreichst, und Läufe trainieren auf mehreren zugleich.
Dort wird nichts installiert: das Studio bringt mit, was es braucht.</translation>
    </message>
    <message>
        <source>Add machine</source>
        <translation>Rechner hinzufügen</translation>
    </message>
    <message>
        <source>Fleet</source>
        <translation>Flotte</translation>
    </message>
    <message>
        <source>Machines and checks</source>
        <translation>Rechner und Prüfungen</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::FoundList</name>
    <message>
        <source>Waymo recordings, TFRecord</source>
        <translation>Waymo-Aufnahmen, TFRecord</translation>
    </message>
    <message>
        <source>Waymo recordings, Parquet</source>
        <translation>Waymo-Aufnahmen, Parquet</translation>
    </message>
    <message>
        <source>COCO annotations</source>
        <translation>COCO-Annotationen</translation>
    </message>
    <message>
        <source>Questions and answers, JSONL</source>
        <translation>Fragen und Antworten, JSONL</translation>
    </message>
    <message>
        <source>Questions and answers, Parquet</source>
        <translation>Fragen und Antworten, Parquet</translation>
    </message>
    <message>
        <source>Conversations about pictures, JSON</source>
        <translation>Gespräche über Bilder, JSON</translation>
    </message>
    <message>
        <source>YOLO data set</source>
        <translation>YOLO-Datensatz</translation>
    </message>
    <message>
        <source>KITTI labels</source>
        <translation>KITTI-Labels</translation>
    </message>
    <message>
        <source>BDD100K labels</source>
        <translation>BDD100K-Labels</translation>
    </message>
    <message>
        <source>1 file</source>
        <translation>1 Datei</translation>
    </message>
    <message>
        <source>%1 files</source>
        <translation>%1 Dateien</translation>
    </message>
    <message>
        <source>TFRecord files</source>
        <translation>TFRecord-Dateien</translation>
    </message>
    <message>
        <source>Parquet files</source>
        <translation>Parquet-Dateien</translation>
    </message>
    <message>
        <source>JSON files</source>
        <translation>JSON-Dateien</translation>
    </message>
    <message>
        <source>JSONL files</source>
        <translation>JSONL-Dateien</translation>
    </message>
    <message>
        <source>Tar archives</source>
        <translation>Tar-Archive</translation>
    </message>
    <message>
        <source>Pictures</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <source>Other files</source>
        <translation>Andere Dateien</translation>
    </message>
    <message>
        <source>%1 without a split</source>
        <translation>%1 ohne Split</translation>
    </message>
    <message>
        <source>Waymo TFRecords and Parquet, COCO, YOLO, KITTI, VOC, BDD100K, JSONL, conversations and VQA Parquet are recognised and read where they lie.</source>
        <translation>Waymo-TFRecords und Parquet, COCO, YOLO, KITTI, VOC, BDD100K, JSONL, Gespräche und VQA-Parquet werden erkannt und gelesen, wo sie liegen.</translation>
    </message>
    <message>
        <source>Pascal VOC annotations</source>
        <translation>Pascal-VOC-Annotationen</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::FrameTimeline</name>
    <message>
        <source>Play the segment (P)</source>
        <translation>Segment abspielen (P)</translation>
    </message>
    <message>
        <source>Frames of the segment</source>
        <translation>Frames des Segments</translation>
    </message>
    <message>
        <source>frame %1 of %2</source>
        <translation>Frame %1 von %2</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::GuideBrowser</name>
    <message>
        <source>Page of the guide</source>
        <translation>Seite der Dokumentation</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::GuideWindow</name>
    <message>
        <source>Documentation</source>
        <translation>Dokumentation (auf Englisch)</translation>
    </message>
    <message>
        <source>Pages of the guide</source>
        <translation>Seiten der Dokumentation</translation>
    </message>
    <message>
        <source>Back (Alt+Left)</source>
        <translation>Zurück (Alt+Links)</translation>
    </message>
    <message>
        <source>Forward (Alt+Right)</source>
        <translation>Vor (Alt+Rechts)</translation>
    </message>
    <message>
        <source>Nothing in the guide says that.</source>
        <translation>Davon steht nichts in der Dokumentation.</translation>
    </message>
    <message>
        <source>Find in the guide</source>
        <translation>In der Dokumentation suchen</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::ImageGrid</name>
    <message>
        <source>Images</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <source>cannot be shown</source>
        <translation>nicht darstellbar</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::ImageMenu</name>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Tag…</source>
        <translation>Schlagwort…</translation>
    </message>
    <message>
        <source>Note…</source>
        <translation>Notiz…</translation>
    </message>
    <message>
        <source>Leave out of training</source>
        <translation>Vom Training ausnehmen</translation>
    </message>
    <message>
        <source>Copy name</source>
        <translation>Namen kopieren</translation>
    </message>
    <message>
        <source>Train on all images found</source>
        <translation>Mit allen gefundenen Bildern trainieren</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::ImageView</name>
    <message>
        <source>Image</source>
        <translation>Bild</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::ImportPanel</name>
    <message>
        <source>Folder or file to import</source>
        <translation>Ordner oder Datei für den Import</translation>
    </message>
    <message>
        <source>Folder of the index</source>
        <translation>Ordner des Index</translation>
    </message>
    <message>
        <source>Make thumbnails now</source>
        <translation>Vorschaubilder jetzt anlegen</translation>
    </message>
    <message>
        <source>Import more</source>
        <translation>Weitere importieren</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Choose a folder</source>
        <translation>Ordner wählen</translation>
    </message>
    <message>
        <source>Choose where the index goes</source>
        <translation>Wählen, wohin der Index geht</translation>
    </message>
    <message>
        <source>Else each is made when it is looked at for the first time</source>
        <translation>Sonst entsteht jedes beim ersten Ansehen</translation>
    </message>
    <message>
        <source>Split of recordings that do not say theirs</source>
        <translation>Split von Aufnahmen, die keinen nennen</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keiner</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>Validation</source>
        <translation>Validierung</translation>
    </message>
    <message>
        <source>Testing</source>
        <translation>Test</translation>
    </message>
    <message>
        <source>Split of recordings that name none</source>
        <translation>Split von Aufnahmen, die keinen nennen</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>Importieren</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>Index goes to</source>
        <translation>Index geht nach</translation>
    </message>
    <message>
        <source>I accept these terms</source>
        <translation>Ich nehme diese Bedingungen an</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>Lizenz</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 und %2 weitere</translation>
    </message>
    <message>
        <source>Looking at what is there…</source>
        <translation>Schaut nach, was da ist…</translation>
    </message>
    <message>
        <source>Recognised</source>
        <translation>Erkannt</translation>
    </message>
    <message>
        <source>Nothing here is known to the studio.</source>
        <translation>Nichts davon kennt das Studio.</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>Beginnt</translation>
    </message>
    <message>
        <source>a folder, s3://bucket/folder, or drop it here</source>
        <translation>ein Ordner, s3://bucket/ordner, oder hierher ziehen</translation>
    </message>
    <message>
        <source>In a bucket: what is there shows when it is fetched. Keys come from the environment or ~/.aws/credentials, the server from AWS_ENDPOINT_URL.</source>
        <translation>In einem Bucket: was dort liegt, zeigt sich beim Holen. Schlüssel kommen aus der Umgebung oder aus ~/.aws/credentials, der Server aus AWS_ENDPOINT_URL.</translation>
    </message>
    <message>
        <source>In the bucket. What can be imported of it shows when it is fetched.</source>
        <translation>Im Bucket. Was davon importiert werden kann, zeigt sich beim Holen.</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::Inspector</name>
    <message>
        <source>Boxes</source>
        <translation>Boxen</translation>
    </message>
    <message>
        <source>Class</source>
        <translation>Klasse</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>Breite</translation>
    </message>
    <message>
        <source>Height</source>
        <translation>Höhe</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>Segment</source>
        <translation>Segment</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Camera</source>
        <translation>Kamera</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Scene</source>
        <translation>Szene</translation>
    </message>
    <message>
        <source>No image chosen</source>
        <translation>Kein Bild gewählt</translation>
    </message>
    <message>
        <source>%1, frame %2 of %3</source>
        <translation>%1, Frame %2 von %3</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>Track %1</source>
        <translation>Spur %1</translation>
    </message>
    <message>
        <source>Not labelled</source>
        <translation>Nicht beschriftet</translation>
    </message>
    <message>
        <source>No boxes</source>
        <translation>Keine Boxen</translation>
    </message>
    <message>
        <source>Boxes (%1)</source>
        <translation>Boxen (%1)</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Verlust</translation>
    </message>
    <message>
        <source>%1, a crowd</source>
        <translation>%1, eine Menge</translation>
    </message>
    <message>
        <source>Many of them, not told apart: finds in here are neither right nor wrong</source>
        <translation>Viele davon, nicht unterschieden: Funde hierin sind weder richtig noch falsch</translation>
    </message>
    <message>
        <source>not labelled</source>
        <translation>nicht beschriftet</translation>
    </message>
    <message>
        <source>Nobody labelled what is in here: finds are neither right nor wrong</source>
        <translation>Niemand hat beschriftet, was hierin ist: Funde sind weder richtig noch falsch</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::JobRow</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::KeySheet</name>
    <message>
        <source>Keys</source>
        <translation>Tasten</translation>
    </message>
    <message>
        <source>Documentation</source>
        <translation>Dokumentation</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::LayerMenu</name>
    <message>
        <source>Labels of the camera (H)</source>
        <translation>Beschriftungen der Kamera (H)</translation>
    </message>
    <message>
        <source>Their names (L)</source>
        <translation>Ihre Namen (L)</translation>
    </message>
    <message>
        <source>Labels of the laser, as the camera sees them (J)</source>
        <translation>Beschriftungen des Lasers, wie die Kamera sie sieht (J)</translation>
    </message>
    <message>
        <source>Predictions of a run</source>
        <translation>Vorhersagen eines Laufs</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::LiveEditPanel</name>
    <message>
        <source>Apply</source>
        <translation>Anwenden</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>as it is</source>
        <translation>wie es ist</translation>
    </message>
    <message>
        <source>began with %1</source>
        <translation>begann mit %1</translation>
    </message>
    <message>
        <source>Takes effect after the current step and stays when the run is resumed.</source>
        <translation>Gilt nach dem laufenden Schritt und bleibt, wenn der Lauf fortgesetzt wird.</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::LogView</name>
    <message>
        <source>Filter lines</source>
        <translation>Zeilen filtern</translation>
    </message>
    <message>
        <source>Process</source>
        <translation>Prozess</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>Protokoll</translation>
    </message>
    <message>
        <source>Agent</source>
        <translation>Agent</translation>
    </message>
    <message>
        <source>Process %1</source>
        <translation>Prozess %1</translation>
    </message>
    <message>
        <source>%1 lines</source>
        <translation>%1 Zeilen</translation>
    </message>
    <message>
        <source>1 line</source>
        <translation>1 Zeile</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::LossMenu</name>
    <message>
        <source>Worst first, by the loss in</source>
        <translation>Schlimmste zuerst, nach dem Verlust in</translation>
    </message>
    <message>
        <source>No run has kept the losses of its samples</source>
        <translation>Kein Lauf hat die Verluste seiner Beispiele aufgehoben</translation>
    </message>
    <message>
        <source>A run keeps them unless record_sample_losses is false.</source>
        <translation>Ein Lauf hebt sie auf, außer record_sample_losses ist false.</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::MachineTile</name>
    <message>
        <source>What can be done with this machine</source>
        <translation>Was mit diesem Rechner möglich ist</translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>Prozessor</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>Platte</translation>
    </message>
    <message>
        <source>No graphics card found. Small models train on the processor; real ones want an NVIDIA card.</source>
        <translation>Keine Grafikkarte gefunden. Kleine Modelle trainieren auf dem Prozessor; echte brauchen eine NVIDIA-Karte.</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>Verbinden</translation>
    </message>
    <message>
        <source>Connect again</source>
        <translation>Erneut verbinden</translation>
    </message>
    <message>
        <source>Group…</source>
        <translation>Gruppe…</translation>
    </message>
    <message>
        <source>Remove from the fleet</source>
        <translation>Aus der Flotte entfernen</translation>
    </message>
    <message>
        <source>GPU %1</source>
        <translation>GPU %1</translation>
    </message>
    <message>
        <source>GPU %1 memory</source>
        <translation>GPU %1 Speicher</translation>
    </message>
    <message>
        <source>not told</source>
        <translation>nicht genannt</translation>
    </message>
    <message>
        <source>of %1</source>
        <translation>von %1</translation>
    </message>
    <message>
        <source>%1 (this machine)</source>
        <translation>%1 (dieser Rechner)</translation>
    </message>
    <message>
        <source>not connected</source>
        <translation>nicht verbunden</translation>
    </message>
    <message>
        <source>connecting…</source>
        <translation>verbindet…</translation>
    </message>
    <message>
        <source>ready</source>
        <translation>bereit</translation>
    </message>
    <message>
        <source>waits for you</source>
        <translation>wartet auf dich</translation>
    </message>
    <message>
        <source>not reachable</source>
        <translation>nicht erreichbar</translation>
    </message>
    <message>
        <source>Connect to see how busy it is.</source>
        <translation>Verbinde, um die Auslastung zu sehen.</translation>
    </message>
    <message>
        <source>%1 cores</source>
        <translation>%1 Kerne</translation>
    </message>
    <message>
        <source>driver %1</source>
        <translation>Treiber %1</translation>
    </message>
    <message>
        <source>%  load %1</source>
        <translation>%  Last %1</translation>
    </message>
    <message>
        <source>free</source>
        <translation>frei</translation>
    </message>
    <message>
        <source>Disk %1/s read, %2/s written  ·  network %3/s in, %4/s out</source>
        <translation>Platte %1/s gelesen, %2/s geschrieben  ·  Netz %3/s ein, %4/s aus</translation>
    </message>
    <message>
        <source>training 1 run</source>
        <translation>trainiert 1 Lauf</translation>
    </message>
    <message>
        <source>training %1 runs</source>
        <translation>trainiert %1 Läufe</translation>
    </message>
    <message>
        <source>Its clock is %1 ahead of this machine&apos;s: let chrony or systemd-timesyncd set it.</source>
        <translation>Seine Uhr geht gegenüber diesem Rechner %1 vor: chrony oder systemd-timesyncd sollte sie stellen.</translation>
    </message>
    <message>
        <source>Its clock is %1 behind this machine&apos;s: let chrony or systemd-timesyncd set it.</source>
        <translation>Seine Uhr geht gegenüber diesem Rechner %1 nach: chrony oder systemd-timesyncd sollte sie stellen.</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::MarksPanel</name>
    <message>
        <source>Add a tag</source>
        <translation>Schlagwort hinzufügen</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Notiz</translation>
    </message>
    <message>
        <source>Tag %1 images</source>
        <translation>%1 Bilder verschlagworten</translation>
    </message>
    <message>
        <source>Take %1 off</source>
        <translation>%1 entfernen</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::MemoryBar</name>
    <message>
        <source>Memory: %1</source>
        <translation>Speicher: %1</translation>
    </message>
    <message>
        <source>All parts of the memory</source>
        <translation>Alle Teile des Speichers</translation>
    </message>
    <message>
        <source>Only the largest</source>
        <translation>Nur die größten</translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>%n weiterer</numerusform>
            <numerusform>%n weitere</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::ModulePanel</name>
    <message>
        <source>Language model only</source>
        <translation>Nur Sprachmodell</translation>
    </message>
    <message>
        <source>What is trained</source>
        <translation>Was trainiert wird</translation>
    </message>
    <message>
        <source>Write exclude_modules so that adapters stay off the vision tower</source>
        <translation>exclude_modules schreiben, damit der Bildturm ohne Adapter bleibt</translation>
    </message>
    <message>
        <source>Frozen</source>
        <translation>Eingefroren</translation>
    </message>
    <message>
        <source>Full</source>
        <translation>Voll</translation>
    </message>
    <message>
        <source>LoRA</source>
        <translation>LoRA</translation>
    </message>
    <message>
        <source>LoRA of rank</source>
        <translation>LoRA mit Rang</translation>
    </message>
    <message>
        <source>LoRA in 4 bits</source>
        <translation>LoRA in 4 Bit</translation>
    </message>
    <message>
        <source>As the settings say</source>
        <translation>Wie die Einstellungen sagen</translation>
    </message>
    <message>
        <source>Computed in</source>
        <translation>Gerechnet in</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::ModuleTreeModel</name>
    <message>
        <source>frozen</source>
        <translation>eingefroren</translation>
    </message>
    <message>
        <source>full</source>
        <translation>voll</translation>
    </message>
    <message>
        <source>LoRA</source>
        <translation>LoRA</translation>
    </message>
    <message>
        <source>mixed</source>
        <translation>gemischt</translation>
    </message>
    <message>
        <source>Vision tower</source>
        <translation>Bildturm</translation>
    </message>
    <message>
        <source>Projector</source>
        <translation>Projektor</translation>
    </message>
    <message>
        <source>Language model</source>
        <translation>Sprachmodell</translation>
    </message>
    <message>
        <source>Block %1</source>
        <translation>Block %1</translation>
    </message>
    <message>
        <source>Module</source>
        <translation>Modul</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>Trained</source>
        <translation>Trainiert</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>Rank %1</source>
        <translation>Rang %1</translation>
    </message>
    <message>
        <source>Alpha %1</source>
        <translation>Alpha %1</translation>
    </message>
    <message>
        <source>Dropout %1</source>
        <translation>Dropout %1</translation>
    </message>
    <message>
        <source>Learning rate %1</source>
        <translation>Lernrate %1</translation>
    </message>
    <message>
        <source>Kept as %1</source>
        <translation>Gehalten als %1</translation>
    </message>
    <message>
        <source>Click to change: frozen, full, LoRA, LoRA in 4 bits</source>
        <translation>Klicken zum Wechseln: eingefroren, voll, LoRA, LoRA in 4 Bit</translation>
    </message>
    <message>
        <source>Click to change: frozen, full, LoRA</source>
        <translation>Klicken zum Wechseln: eingefroren, voll, LoRA</translation>
    </message>
    <message>
        <source>Computed in %1</source>
        <translation>Gerechnet in %1</translation>
    </message>
    <message>
        <source>%1 4-bit</source>
        <translation>%1 4-Bit</translation>
    </message>
    <message>
        <source>vision tower</source>
        <translation>Bildturm</translation>
    </message>
    <message>
        <source>projector</source>
        <translation>Projektor</translation>
    </message>
    <message>
        <source>language model</source>
        <translation>Sprachmodell</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::NoticeBar</name>
    <message>
        <source>Copy details</source>
        <translation>Einzelheiten kopieren</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Try: %1</source>
        <translation>Versuche: %1</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::PaintBar</name>
    <message>
        <source>Rank of painted adapters</source>
        <translation>Rang gemalter Adapter</translation>
    </message>
    <message>
        <source>Rank of adapters painted from now on; at the lowest, the run&apos;s own</source>
        <translation>Rang der Adapter, die ab jetzt gemalt werden; ganz unten der des Laufs</translation>
    </message>
    <message>
        <source>r auto</source>
        <translation>r auto</translation>
    </message>
    <message>
        <source>Alpha of painted adapters</source>
        <translation>Alpha gemalter Adapter</translation>
    </message>
    <message>
        <source>Alpha of adapters painted from now on; at the lowest, the run&apos;s own</source>
        <translation>Alpha der Adapter, die ab jetzt gemalt werden; ganz unten das des Laufs</translation>
    </message>
    <message>
        <source>α auto</source>
        <translation>α auto</translation>
    </message>
    <message>
        <source>Frozen</source>
        <translation>Eingefroren</translation>
    </message>
    <message>
        <source>Leave as it is (F)</source>
        <translation>Lassen, wie es ist (F)</translation>
    </message>
    <message>
        <source>Full</source>
        <translation>Voll</translation>
    </message>
    <message>
        <source>Train all of its weights (T)</source>
        <translation>Alle Gewichte trainieren (T)</translation>
    </message>
    <message>
        <source>LoRA</source>
        <translation>LoRA</translation>
    </message>
    <message>
        <source>Train adapters on its linear layers (L)</source>
        <translation>Adapter auf den linearen Schichten trainieren (L)</translation>
    </message>
    <message>
        <source>4-bit</source>
        <translation>4 Bit</translation>
    </message>
    <message>
        <source>Train adapters on weights kept in four bits (Q)</source>
        <translation>Adapter auf Gewichten in vier Bit trainieren (Q)</translation>
    </message>
    <message>
        <source>Freeze whole towers</source>
        <translation>Ganze Türme einfrieren</translation>
    </message>
    <message>
        <source>Freeze the vision tower</source>
        <translation>Bildturm einfrieren</translation>
    </message>
    <message>
        <source>Freeze the projector</source>
        <translation>Projektor einfrieren</translation>
    </message>
    <message>
        <source>Freeze the language model</source>
        <translation>Sprachmodell einfrieren</translation>
    </message>
    <message>
        <source>not a pattern</source>
        <translation>kein Muster</translation>
    </message>
    <message>
        <source>1 module</source>
        <translation>1 Modul</translation>
    </message>
    <message>
        <source>%1 modules</source>
        <translation>%1 Module</translation>
    </message>
    <message>
        <source>Dropout of painted adapters</source>
        <translation>Dropout gemalter Adapter</translation>
    </message>
    <message>
        <source>Dropout of adapters painted from now on; at the lowest, the run&apos;s own</source>
        <translation>Dropout von jetzt an gemalter Adapter; beim kleinsten Wert der des Laufs</translation>
    </message>
    <message>
        <source>drop </source>
        <translation>Drop </translation>
    </message>
    <message>
        <source>drop auto</source>
        <translation>Drop auto</translation>
    </message>
    <message>
        <source>Learning rate of painted modules</source>
        <translation>Lernrate gemalter Module</translation>
    </message>
    <message>
        <source>Learning rate of what is painted from now on, such as 1e-5; empty: its tower&apos;s or the run&apos;s</source>
        <translation>Lernrate für alles, was von jetzt an gemalt wird, etwa 1e-5; leer: die seines Turms oder des Laufs</translation>
    </message>
    <message>
        <source>rate auto</source>
        <translation>Rate auto</translation>
    </message>
    <message>
        <source>As the run</source>
        <translation>Wie der Lauf</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>What a module computes in, and keeps its frozen weights in</source>
        <translation>Worin ein Modul rechnet und seine eingefrorenen Gewichte hält</translation>
    </message>
    <message>
        <source>Paint by pattern: language_model\.layers\.2[0-5]</source>
        <translation>Mit Muster malen: language_model\.layers\.2[0-5]</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::PicturePool</name>
    <message>
        <source>empty picture</source>
        <translation>leeres Bild</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::PlotBar</name>
    <message>
        <source>Horizontal axis</source>
        <translation>Waagrechte Achse</translation>
    </message>
    <message>
        <source>Over steps</source>
        <translation>Über Schritte</translation>
    </message>
    <message>
        <source>Over time</source>
        <translation>Über die Zeit</translation>
    </message>
    <message>
        <source>Smoothing</source>
        <translation>Glättung</translation>
    </message>
    <message>
        <source>Logarithmic loss axis</source>
        <translation>Logarithmische Verlustachse</translation>
    </message>
    <message>
        <source>Show the whole run (double-click a plot)</source>
        <translation>Ganzen Lauf zeigen (Doppelklick auf eine Kurve)</translation>
    </message>
    <message>
        <source>Choose plots</source>
        <translation>Kurven wählen</translation>
    </message>
    <message>
        <source>Export this view</source>
        <translation>Diese Ansicht exportieren</translation>
    </message>
    <message>
        <source>Picture (PNG)</source>
        <translation>Bild (PNG)</translation>
    </message>
    <message>
        <source>Drawing (SVG)</source>
        <translation>Zeichnung (SVG)</translation>
    </message>
    <message>
        <source>Numbers of the whole run (CSV)</source>
        <translation>Zahlen des ganzen Laufs (CSV)</translation>
    </message>
    <message>
        <source>Over samples</source>
        <translation>Über Beispiele</translation>
    </message>
    <message>
        <source>Keep far outliers out of the scale; arrows at the edge show where they are</source>
        <translation>Weite Ausreißer aus dem Maßstab halten; Pfeile am Rand zeigen, wo sie sind</translation>
    </message>
    <message>
        <source>Clip</source>
        <translation>Kappen</translation>
    </message>
    <message>
        <source>Log scale</source>
        <translation>Logarithmisch</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::PlotGrid</name>
    <message>
        <source>Copy the latest values</source>
        <translation>Neueste Werte kopieren</translation>
    </message>
    <message>
        <source>Copy the values at %1</source>
        <translation>Werte bei %1 kopieren</translation>
    </message>
    <message>
        <source>Copy the picture</source>
        <translation>Bild kopieren</translation>
    </message>
    <message>
        <source>Save the picture as…</source>
        <translation>Bild speichern unter…</translation>
    </message>
    <message>
        <source>Show the whole run</source>
        <translation>Ganzen Lauf zeigen</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::PlotLegend</name>
    <message>
        <source>+%1</source>
        <translation>+%1</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::PredictionMenu</name>
    <message>
        <source>No predictions</source>
        <translation>Keine Vorhersagen</translation>
    </message>
    <message>
        <source>%1, step %2</source>
        <translation>%1, Schritt %2</translation>
    </message>
    <message>
        <source>No run has predictions yet</source>
        <translation>Noch kein Lauf hat Vorhersagen</translation>
    </message>
    <message>
        <source>Open a results file…</source>
        <translation>Ergebnisdatei öffnen…</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::PredictionStrip</name>
    <message>
        <source>%1 hits  ·  %2 wrong  ·  %3 missed</source>
        <translation>%1 Treffer  ·  %2 falsch  ·  %3 verpasst</translation>
    </message>
    <message>
        <source>Least overlap (IoU) of a hit</source>
        <translation>Mindestüberlappung (IoU) eines Treffers</translation>
    </message>
    <message>
        <source>Least score of a prediction</source>
        <translation>Mindestwert einer Vorhersage</translation>
    </message>
    <message>
        <source>No predictions</source>
        <translation>Keine Vorhersagen</translation>
    </message>
    <message>
        <source>IoU</source>
        <translation>IoU</translation>
    </message>
    <message>
        <source>Score</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Nothing was predicted for this image</source>
        <translation>Für dieses Bild wurde nichts vorhergesagt</translation>
    </message>
    <message>
        <source>All images (%1): %2  ·  precision %3  ·  recall %4</source>
        <translation>Alle Bilder (%1): %2  ·  Genauigkeit %3  ·  Trefferquote %4</translation>
    </message>
    <message>
        <source>Evaluation</source>
        <translation>Auswertung</translation>
    </message>
    <message>
        <source>Evaluation of the run</source>
        <translation>Auswertung des Laufs</translation>
    </message>
    <message>
        <source>Go through the evaluations of the run</source>
        <translation>Durch die Auswertungen des Laufs gehen</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::PreflightHistoryPanel</name>
    <message>
        <source>When</source>
        <translation>Wann</translation>
    </message>
    <message>
        <source>Machines</source>
        <translation>Rechner</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Changed since the time before</source>
        <translation>Seit dem Mal davor geändert</translation>
    </message>
    <message>
        <source>Earlier checks</source>
        <translation>Frühere Prüfungen</translation>
    </message>
    <message>
        <source>Checks of your machines are kept here with their dates, so that it shows what has changed on a machine since it last worked.</source>
        <translation>Prüfungen deiner Rechner werden hier mit Datum aufgehoben. So zeigt sich, was sich auf einem Rechner geändert hat, seit er zuletzt ging.</translation>
    </message>
    <message>
        <source>The chosen check</source>
        <translation>Die gewählte Prüfung</translation>
    </message>
    <message>
        <source>Enter shows a check, Delete takes it out of the list</source>
        <translation>Enter zeigt eine Prüfung, Entf nimmt sie aus der Liste</translation>
    </message>
    <message>
        <source>Close the chosen check</source>
        <translation>Die gewählte Prüfung schließen</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>Check of %1</source>
        <translation>Prüfung vom %1</translation>
    </message>
    <message>
        <source>Show this check</source>
        <translation>Diese Prüfung zeigen</translation>
    </message>
    <message>
        <source>Take out of the list</source>
        <translation>Aus der Liste nehmen</translation>
    </message>
    <message>
        <source>Take out all of them</source>
        <translation>Alle herausnehmen</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::PreflightModel</name>
    <message>
        <source>good</source>
        <translation>gut</translation>
    </message>
    <message>
        <source>to know</source>
        <translation>zu wissen</translation>
    </message>
    <message>
        <source>in the way</source>
        <translation>im Weg</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>Prüfung</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::PreflightPanel</name>
    <message>
        <source>together</source>
        <translation>zusammen</translation>
    </message>
    <message>
        <source>%1 in the way of a run</source>
        <translation>%1 im Weg eines Laufs</translation>
    </message>
    <message>
        <source>ready; %1 to know about</source>
        <translation>bereit; %1 zu wissen</translation>
    </message>
    <message>
        <source>ready</source>
        <translation>bereit</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>Rechner</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>Prüfung</translation>
    </message>
    <message>
        <source>What to do</source>
        <translation>Was zu tun ist</translation>
    </message>
    <message>
        <source>Preflight checks</source>
        <translation>Prüfungen vor dem Start</translation>
    </message>
    <message>
        <source>Preflight</source>
        <translation>Vor dem Start</translation>
    </message>
    <message>
        <source>Check again</source>
        <translation>Erneut prüfen</translation>
    </message>
    <message>
        <source>checking…</source>
        <translation>prüft…</translation>
    </message>
    <message>
        <source>Between the machines</source>
        <translation>Zwischen den Rechnern</translation>
    </message>
    <message>
        <source>Found</source>
        <translation>Befund</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::ProblemList</name>
    <message>
        <source>What could not be read</source>
        <translation>Was sich nicht lesen ließ</translation>
    </message>
    <message>
        <source>Copy the whole list</source>
        <translation>Ganze Liste kopieren</translation>
    </message>
    <message>
        <source>1 problem</source>
        <translation>1 Problem</translation>
    </message>
    <message>
        <source>%1 problems</source>
        <translation>%1 Probleme</translation>
    </message>
    <message>
        <source>%1 problems, the first %2 are listed</source>
        <translation>%1 Probleme, die ersten %2 stehen hier</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::ProcessList</name>
    <message>
        <source>not seen from here</source>
        <translation>von hier nicht zu sehen</translation>
    </message>
    <message>
        <source>%1, of the run %2</source>
        <translation>%1, vom Lauf %2</translation>
    </message>
    <message>
        <source>%1 on the graphics card</source>
        <translation>%1 auf der Grafikkarte</translation>
    </message>
    <message>
        <source>%1 of the machine&apos;s memory</source>
        <translation>%1 vom Arbeitsspeicher</translation>
    </message>
    <message>
        <source>Process</source>
        <translation>Prozess</translation>
    </message>
    <message>
        <source>User</source>
        <translation>Benutzer</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Nothing computes on it: no run, and nobody on its graphics cards.</source>
        <translation>Nichts rechnet darauf: kein Lauf, und niemand auf seinen Grafikkarten.</translation>
    </message>
    <message>
        <source>Processes on %1</source>
        <translation>Prozesse auf %1</translation>
    </message>
    <message>
        <source>Process ID</source>
        <translation>Prozess-ID</translation>
    </message>
    <message>
        <source>No run computes on it.</source>
        <translation>Kein Lauf rechnet darauf.</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::QualityPanel</name>
    <message>
        <source>With boxes</source>
        <translation>Mit Boxen</translation>
    </message>
    <message>
        <source>Labelled, nothing there</source>
        <translation>Beschriftet, nichts da</translation>
    </message>
    <message>
        <source>Not labelled</source>
        <translation>Nicht beschriftet</translation>
    </message>
    <message>
        <source>Cannot be read</source>
        <translation>Nicht lesbar</translation>
    </message>
    <message>
        <source>Nothing says whether the vehicle moved.</source>
        <translation>Nichts sagt, ob das Fahrzeug fuhr.</translation>
    </message>
    <message>
        <source>The vehicle stands in %1 of %2 frames; %3 images show nothing new.</source>
        <translation>Das Fahrzeug steht in %1 von %2 Frames; %3 Bilder zeigen nichts Neues.</translation>
    </message>
    <message>
        <source>%1 frames</source>
        <translation>%1 Frames</translation>
    </message>
    <message>
        <source>%1 of %2 pictures look like another one.</source>
        <translation>%1 von %2 Bildern gleichen einem anderen.</translation>
    </message>
    <message>
        <source>%1 alike</source>
        <translation>%1 gleich</translation>
    </message>
    <message>
        <source>Of %1 samples half have at most %2 tokens, 99 of 100 at most %3; %4 of them are the picture&apos;s.</source>
        <translation>Von %1 Beispielen hat die Hälfte höchstens %2 Token, 99 von 100 höchstens %3; %4 davon gehören dem Bild.</translation>
    </message>
    <message>
        <source>Cut after %1 tokens</source>
        <translation>Nach %1 Token abgeschnitten</translation>
    </message>
    <message>
        <source>The longest</source>
        <translation>Das längste</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 Token</translation>
    </message>
    <message>
        <source>All classes</source>
        <translation>Alle Klassen</translation>
    </message>
    <message>
        <source>Compare pictures</source>
        <translation>Bilder vergleichen</translation>
    </message>
    <message>
        <source>Balance by</source>
        <translation>Verteilung nach</translation>
    </message>
    <message>
        <source>Too small to learn</source>
        <translation>Zu klein zum Lernen</translation>
    </message>
    <message>
        <source>Boxes whose shorter side is below %1 px once the picture has the model&apos;s size</source>
        <translation>Boxen, deren kürzere Seite bei der Größe des Modells unter %1 px liegt</translation>
    </message>
    <message>
        <source>Images</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <source>Balance</source>
        <translation>Verteilung</translation>
    </message>
    <message>
        <source>Near-duplicates</source>
        <translation>Beinahe gleich</translation>
    </message>
    <message>
        <source>Long answers</source>
        <translation>Lange Antworten</translation>
    </message>
    <message>
        <source>Folder of the model</source>
        <translation>Ordner des Modells</translation>
    </message>
    <message>
        <source>folder of the model</source>
        <translation>Ordner des Modells</translation>
    </message>
    <message>
        <source>Most tokens of a sample</source>
        <translation>Höchstzahl Token je Beispiel</translation>
    </message>
    <message>
        <source>Most tokens of a sample, its picture&apos;s included</source>
        <translation>Höchstzahl Token je Beispiel, die des Bildes mitgezählt</translation>
    </message>
    <message>
        <source>Choose the model</source>
        <translation>Modell wählen</translation>
    </message>
    <message>
        <source>Count tokens</source>
        <translation>Token zählen</translation>
    </message>
    <message>
        <source>cut after</source>
        <translation>Schnitt nach</translation>
    </message>
    <message>
        <source>Answers longer than the model&apos;s limit are cut and teach it to stop.</source>
        <translation>Längere Antworten werden abgeschnitten und lehren das Modell aufzuhören.</translation>
    </message>
    <message>
        <source> px</source>
        <translation> px</translation>
    </message>
    <message>
        <source>%1 too small at %2 pixels: %3</source>
        <translation>%1 zu klein bei %2 Pixeln: %3</translation>
    </message>
    <message>
        <source>1 image</source>
        <translation>1 Bild</translation>
    </message>
    <message>
        <source>%1 images</source>
        <translation>%1 Bilder</translation>
    </message>
    <message>
        <source>1 box</source>
        <translation>1 Box</translation>
    </message>
    <message>
        <source>%1 boxes</source>
        <translation>%1 Boxen</translation>
    </message>
    <message>
        <source>up to %1 tokens</source>
        <translation>bis %1 Token</translation>
    </message>
    <message>
        <source> Those that are cut carry the tag %1.</source>
        <translation> Die abgeschnittenen tragen das Schlagwort %1.</translation>
    </message>
    <message>
        <source>With a question or an answer</source>
        <translation>Mit einer Frage oder Antwort</translation>
    </message>
    <message>
        <source>There are no boxes.</source>
        <translation>Es gibt keine Boxen.</translation>
    </message>
    <message>
        <source> tokens</source>
        <translation> Token</translation>
    </message>
    <message>
        <source>These figures are about all images, not only those that the query finds.</source>
        <translation>Diese Zahlen gelten für alle Bilder, nicht nur für die der Abfrage.</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::QueryEdit</name>
    <message>
        <source>Query</source>
        <translation>Abfrage</translation>
    </message>
    <message>
        <source>All images. Try: time=Night and count(pedestrian)&gt;=3</source>
        <translation>Alle Bilder. Versuche: time=Night and count(pedestrian)&gt;=3</translation>
    </message>
    <message>
        <source>What a query can say</source>
        <translation>Was eine Abfrage sagen kann</translation>
    </message>
    <message>
        <source>What a query can say (?)</source>
        <translation>Was eine Abfrage sagen kann (?)</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::QueryLine</name>
    <message>
        <source>%1 images</source>
        <translation>%1 Bilder</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source> - did you mean %1?</source>
        <translation> - meinst du %1?</translation>
    </message>
    <message>
        <source>1 image</source>
        <translation>1 Bild</translation>
    </message>
    <message>
        <source>%1  ·  %2 selected</source>
        <translation>%1  ·  %2 ausgewählt</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::QuerySheet</name>
    <message>
        <source>What a query can say</source>
        <translation>Was eine Abfrage sagen kann</translation>
    </message>
    <message>
        <source>Of an image</source>
        <translation>Eines Bildes</translation>
    </message>
    <message>
        <source>Of a box</source>
        <translation>Einer Box</translation>
    </message>
    <message>
        <source>Upper and lower case are the same. Esc closes this sheet.</source>
        <translation>Groß- und Kleinschreibung ist gleich. Esc schließt dieses Blatt.</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::QuestionPanel</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::QueueModel</name>
    <message>
        <source>waits</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>running</source>
        <translation>läuft</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>fertig</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>angehalten</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>gescheitert</translation>
    </message>
    <message>
        <source>waits for your answer</source>
        <translation>wartet auf deine Antwort</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::QueuePanel</name>
    <message>
        <source>Start the runs of the queue when their turn comes</source>
        <translation>Die Läufe der Warteschlange starten, wenn sie an der Reihe sind</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>Warteschlange</translation>
    </message>
    <message>
        <source>Runs put in here start one after the other, each when its machines are free. Set one up, then press Queue.</source>
        <translation>Läufe, die hier stehen, starten nacheinander, jeder, wenn seine Rechner frei sind. Richte einen ein und drücke dann „Einreihen“.</translation>
    </message>
    <message>
        <source>Set up a run</source>
        <translation>Lauf einrichten</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Starten</translation>
    </message>
    <message>
        <source>Start no further run; what runs goes on</source>
        <translation>Keinen weiteren Lauf starten; was läuft, geht weiter</translation>
    </message>
    <message>
        <source>%1 waiting</source>
        <translation>%1 warten</translation>
    </message>
    <message>
        <source>%1 waiting, paused</source>
        <translation>%1 · Pause</translation>
    </message>
    <message>
        <source>Show the run</source>
        <translation>Lauf zeigen</translation>
    </message>
    <message>
        <source>Earlier</source>
        <translation>Früher</translation>
    </message>
    <message>
        <source>Later</source>
        <translation>Später</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal versuchen</translation>
    </message>
    <message>
        <source>Take out of the queue</source>
        <translation>Aus der Warteschlange nehmen</translation>
    </message>
    <message>
        <source>Take out what has ended</source>
        <translation>Beendete herausnehmen</translation>
    </message>
    <message>
        <source>Answer…</source>
        <translation>Antworten…</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::ResultPanel</name>
    <message>
        <source>best</source>
        <translation>bester</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>the last one</source>
        <translation>der letzte</translation>
    </message>
    <message>
        <source>This run trains the weights themselves: its checkpoints are whole models already.</source>
        <translation>Dieser Lauf trainiert die Gewichte selbst: seine Checkpoints sind schon ganze Modelle.</translation>
    </message>
    <message>
        <source>This run has no checkpoint yet.</source>
        <translation>Dieser Lauf hat noch keinen Checkpoint.</translation>
    </message>
    <message>
        <source>all images</source>
        <translation>alle Bilder</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>unbegrenzt</translation>
    </message>
    <message>
        <source>Checkpoint</source>
        <translation>Checkpoint</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>Only the images of a query</source>
        <translation>Nur die Bilder einer Abfrage</translation>
    </message>
    <message>
        <source>Images at most</source>
        <translation>Höchstens Bilder</translation>
    </message>
    <message>
        <source>Goes to</source>
        <translation>Ziel</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>A report of %1 to share</source>
        <translation>Ein Bericht über %1 zum Weitergeben</translation>
    </message>
    <message>
        <source>Write report</source>
        <translation>Bericht schreiben</translation>
    </message>
    <message>
        <source>Fold the adapters of %1 into their model</source>
        <translation>Die Adapter von %1 in ihr Modell einrechnen</translation>
    </message>
    <message>
        <source>Merge</source>
        <translation>Verschmelzen</translation>
    </message>
    <message>
        <source>Predict with %1</source>
        <translation>Vorhersagen mit %1</translation>
    </message>
    <message>
        <source>Predict</source>
        <translation>Vorhersagen</translation>
    </message>
    <message>
        <source>Where it goes</source>
        <translation>Wohin es geht</translation>
    </message>
    <message>
        <source>Say where it goes.</source>
        <translation>Ein Ziel angeben.</translation>
    </message>
    <message>
        <source>Say which data to predict for: the folder of an index, a JSONL or a COCO file.</source>
        <translation>Angeben, wofür vorhergesagt wird: der Ordner eines Index, eine JSONL- oder eine COCO-Datei.</translation>
    </message>
    <message>
        <source>%1 is there already. Choose another folder.</source>
        <translation>%1 gibt es schon. Einen anderen Ordner wählen.</translation>
    </message>
    <message>
        <source>%1 is a folder. Name a file.</source>
        <translation>%1 ist ein Ordner. Eine Datei nennen.</translation>
    </message>
    <message>
        <source>%1 is replaced.</source>
        <translation>%1 wird ersetzt.</translation>
    </message>
    <message>
        <source>One HTML page with plots, settings and what was noticed; it needs nothing else.</source>
        <translation>Eine HTML-Seite mit Kurven, Einstellungen und dem, was auffiel; sie braucht nichts weiter.</translation>
    </message>
    <message>
        <source>A whole model in the layout of its base, for any program that loads PaliGemma.</source>
        <translation>Ein ganzes Modell im Aufbau seiner Grundlage, für jedes Programm, das PaliGemma lädt.</translation>
    </message>
    <message>
        <source>A COCO results file, which the Data page shows beside the labels.</source>
        <translation>Eine COCO-Ergebnisdatei, die die Datenseite neben den Labels zeigt.</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::RunDetail</name>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Event</source>
        <translation>Ereignis</translation>
    </message>
    <message>
        <source>Detail</source>
        <translation>Einzelheit</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>Einstellung</translation>
    </message>
    <message>
        <source>This run</source>
        <translation>Dieser Lauf</translation>
    </message>
    <message>
        <source>Beside it</source>
        <translation>Daneben</translation>
    </message>
    <message>
        <source>Configuration of the run</source>
        <translation>Konfiguration des Laufs</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>Protokoll</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>Ereignisse</translation>
    </message>
    <message>
        <source>Nothing has happened yet.</source>
        <translation>Noch ist nichts geschehen.</translation>
    </message>
    <message>
        <source>Configuration</source>
        <translation>Konfiguration</translation>
    </message>
    <message>
        <source>Receipt</source>
        <translation>Beleg</translation>
    </message>
    <message>
        <source>After the first step the trainer proves here which tensors changed.</source>
        <translation>Nach dem ersten Schritt belegt der Trainer hier, welche Tensoren sich änderten.</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>Unterschiede</translation>
    </message>
    <message>
        <source>Show another run beside this one (Ctrl+click in the list) to see what was set differently.</source>
        <translation>Zeige einen Lauf daneben (Strg+Klick in der Liste), um zu sehen, was anders eingestellt war.</translation>
    </message>
    <message>
        <source>Worst samples</source>
        <translation>Schlimmste</translation>
    </message>
    <message>
        <source>Both mean the same: no setting is different.</source>
        <translation>Beide bedeuten dasselbe: Keine Einstellung ist anders.</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::RunHeader</name>
    <message>
        <source>Save now</source>
        <translation>Jetzt sichern</translation>
    </message>
    <message>
        <source>Save and stop</source>
        <translation>Sichern und anhalten</translation>
    </message>
    <message>
        <source>Stop now, without saving</source>
        <translation>Sofort anhalten, ohne zu sichern</translation>
    </message>
    <message>
        <source>Go on from the newest checkpoint, in the same folder</source>
        <translation>Vom neuesten Checkpoint weitermachen, im selben Ordner</translation>
    </message>
    <message>
        <source>Change settings while the run goes on</source>
        <translation>Einstellungen ändern, während der Lauf weitergeht</translation>
    </message>
    <message>
        <source>Set up a new run that starts from a checkpoint of this one</source>
        <translation>Neuen Lauf einrichten, der bei einem Checkpoint von diesem beginnt</translation>
    </message>
    <message>
        <source>Progress of the run</source>
        <translation>Fortschritt des Laufs</translation>
    </message>
    <message>
        <source>Write a checkpoint now and go on</source>
        <translation>Jetzt einen Checkpoint schreiben und weitermachen</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>End the run</source>
        <translation>Lauf beenden</translation>
    </message>
    <message>
        <source>Open the run&apos;s folder</source>
        <translation>Ordner des Laufs öffnen</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Branch</source>
        <translation>Abzweigen</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>Ändern</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>noch %1</translation>
    </message>
    <message>
        <source>%1 so far</source>
        <translation>bisher %1</translation>
    </message>
    <message>
        <source>%1 of %2 parameters trained</source>
        <translation>%1 von %2 Parametern trainiert</translation>
    </message>
    <message>
        <source>step %1 / %2</source>
        <translation>Schritt %1 / %2</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>From %1</source>
        <translation>Ab %1</translation>
    </message>
    <message>
        <source>Start again</source>
        <translation>Von vorn beginnen</translation>
    </message>
    <message>
        <source>Nothing was saved yet: set the same run up once more</source>
        <translation>Noch nichts ist gespeichert: denselben Lauf noch einmal einrichten</translation>
    </message>
    <message>
        <source>%1, %2 not reached</source>
        <translation>%1, %2 nicht erreicht</translation>
    </message>
    <message>
        <source>Does the steps after %1 again with the same settings, and would probably diverge again. Branch starts a new run from there, with a lower learning rate for example.</source>
        <translation>Wiederholt die Schritte nach %1 mit denselben Einstellungen und würde wohl wieder divergieren. „Abzweigen“ beginnt dort einen neuen Lauf, zum Beispiel mit kleinerer Lernrate.</translation>
    </message>
    <message>
        <source>reading what it wrote</source>
        <translation>wird gelesen</translation>
    </message>
    <message>
        <source>From step 0, with the weights of</source>
        <translation>Ab Schritt 0, mit den Gewichten von</translation>
    </message>
    <message>
        <source>Evaluate now</source>
        <translation>Jetzt auswerten</translation>
    </message>
    <message>
        <source>Evaluate and predict now, beside the schedule, and go on</source>
        <translation>Jetzt neben dem Plan auswerten und vorhersagen, dann weiter</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pausieren</translation>
    </message>
    <message>
        <source>Let the run go on from where it holds</source>
        <translation>Lässt den Lauf weitergehen, wo er pausiert</translation>
    </message>
    <message>
        <source>Hold the run at its next step; its processes and memory stay</source>
        <translation>Pausiert den Lauf beim nächsten Schritt; seine Prozesse und ihr Speicher bleiben</translation>
    </message>
    <message>
        <source>Report, merge, predict</source>
        <translation>Bericht, Verschmelzen, Vorhersagen</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::RunListModel</name>
    <message>
        <source>TensorBoard</source>
        <translation>TensorBoard</translation>
    </message>
    <message>
        <source>%1 / %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>%1 steps</source>
        <translation>%1 Schritte</translation>
    </message>
    <message>
        <source>loss %1</source>
        <translation>Verlust %1</translation>
    </message>
    <message>
        <source>beside the run on show</source>
        <translation>neben dem gezeigten Lauf</translation>
    </message>
    <message>
        <source>Started %1</source>
        <translation>Gestartet am %1</translation>
    </message>
    <message>
        <source>Its loss is higher than it began.</source>
        <translation>Sein Verlust ist höher, als er begann.</translation>
    </message>
    <message>
        <source>its loss is higher than it began</source>
        <translation>sein Verlust ist höher, als er begann</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::RunsPage</name>
    <message>
        <source>Set up a run</source>
        <translation>Lauf einrichten</translation>
    </message>
    <message>
        <source>Open the demo project</source>
        <translation>Demo-Projekt öffnen</translation>
    </message>
    <message>
        <source>Filter runs</source>
        <translation>Läufe filtern</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>No run selected</source>
        <translation>Kein Lauf gewählt</translation>
    </message>
    <message>
        <source>Choose one at the left, or set up a new one.</source>
        <translation>Wähle links einen oder richte einen neuen ein.</translation>
    </message>
    <message>
        <source>No runs yet</source>
        <translation>Noch keine Läufe</translation>
    </message>
    <message>
        <source>Runs appear here as soon as they start, from this window or from a terminal, and stay when they are over.</source>
        <translation>Läufe erscheinen hier, sobald sie beginnen, aus diesem Fenster oder einem Terminal, und bleiben, wenn sie vorbei sind.</translation>
    </message>
    <message>
        <source>No longer beside the run on show</source>
        <translation>Nicht mehr neben dem gezeigten Lauf</translation>
    </message>
    <message>
        <source>Show beside the run on show</source>
        <translation>Neben dem gezeigten Lauf zeigen</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>Umbenennen…</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>Move to the trash</source>
        <translation>In den Papierkorb</translation>
    </message>
    <message>
        <source>Start again</source>
        <translation>Von vorn beginnen</translation>
    </message>
    <message>
        <source>No run matches. Esc clears the filter.</source>
        <translation>Kein Lauf passt. Esc leert den Filter.</translation>
    </message>
    <message>
        <source>Order of the runs</source>
        <translation>Reihenfolge der Läufe</translation>
    </message>
    <message>
        <source>This run cannot be read</source>
        <translation>Dieser Lauf kann nicht gelesen werden</translation>
    </message>
    <message>
        <source>Show runs of another folder or machine</source>
        <translation>Läufe eines anderen Ordners oder Rechners zeigen</translation>
    </message>
    <message>
        <source>Watch another folder…</source>
        <translation>Weiteren Ordner beobachten…</translation>
    </message>
    <message>
        <source>Find runs on a machine</source>
        <translation>Läufe auf einem Rechner finden</translation>
    </message>
    <message>
        <source>Those that were started from another machine are followed from here, too</source>
        <translation>Auch die, die von einem anderen Rechner aus gestartet wurden, werden dann von hier verfolgt</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::SampleView</name>
    <message>
        <source>Back to the grid (Esc)</source>
        <translation>Zurück zum Raster (Esc)</translation>
    </message>
    <message>
        <source>Previous image (Left, A)</source>
        <translation>Voriges Bild (Links, A)</translation>
    </message>
    <message>
        <source>Next image (Right, D)</source>
        <translation>Nächstes Bild (Rechts, D)</translation>
    </message>
    <message>
        <source>Boxes (H)</source>
        <translation>Boxen (H)</translation>
    </message>
    <message>
        <source>Names of the boxes (L)</source>
        <translation>Namen der Boxen (L)</translation>
    </message>
    <message>
        <source>Fit the image (F, or double click)</source>
        <translation>Bild einpassen (F oder Doppelklick)</translation>
    </message>
    <message>
        <source>Colours of the boxes</source>
        <translation>Farben der Boxen</translation>
    </message>
    <message>
        <source>By class</source>
        <translation>Nach Klasse</translation>
    </message>
    <message>
        <source>By track</source>
        <translation>Nach Spur</translation>
    </message>
    <message>
        <source>By difficulty</source>
        <translation>Nach Schwierigkeit</translation>
    </message>
    <message>
        <source>Predictions over the image</source>
        <translation>Vorhersagen über dem Bild</translation>
    </message>
    <message>
        <source>What the model sees (M)</source>
        <translation>Was das Modell sieht (M)</translation>
    </message>
    <message>
        <source>The picture itself</source>
        <translation>Das Bild selbst</translation>
    </message>
    <message>
        <source>As a model sees it at %1 px</source>
        <translation>Wie ein Modell es bei %1 px sieht</translation>
    </message>
    <message>
        <source>Asked</source>
        <translation>Gefragt</translation>
    </message>
    <message>
        <source>Taught</source>
        <translation>Gelehrt</translation>
    </message>
    <message>
        <source>nothing: the answer is empty</source>
        <translation>nichts: die Antwort ist leer</translation>
    </message>
    <message>
        <source>%1 × %1 px  ·  %2 of %3 boxes are at least %4 px on their shorter side; the others are drawn dotted  ·  %5 location tokens</source>
        <translation>%1 × %1 px  ·  %2 von %3 Boxen haben mindestens %4 px an der kürzeren Seite; die anderen sind gepunktet  ·  %5 Orts-Token</translation>
    </message>
    <message>
        <source>This image cannot be shown.
%1</source>
        <translation>Dieses Bild lässt sich nicht zeigen.
%1</translation>
    </message>
    <message>
        <source>Tokens of the prompt and the answer</source>
        <translation>Token des Prompts und der Antwort</translation>
    </message>
    <message>
        <source>Copy the tokens and their numbers</source>
        <translation>Token und ihre Nummern kopieren</translation>
    </message>
    <message>
        <source>%1 tokens; those that are taught are coloured</source>
        <translation>%1 Token; gefärbt sind die gelehrten</translation>
    </message>
    <message>
        <source>Layers over the image</source>
        <translation>Ebenen über dem Bild</translation>
    </message>
    <message>
        <source>Only recordings of Waymo tell what their laser saw.</source>
        <translation>Nur Aufnahmen von Waymo sagen, was ihr Laser sah.</translation>
    </message>
    <message>
        <source>This index was made before labels of the laser were kept. Import its recordings again to see them.</source>
        <translation>Dieser Index entstand, bevor Beschriftungen des Lasers aufgehoben wurden. Importiere seine Aufnahmen noch einmal, um sie zu sehen.</translation>
    </message>
    <message>
        <source>No label of the laser lies in this image.</source>
        <translation>In diesem Bild liegt keine Beschriftung des Lasers.</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::SchemaForm</name>
    <message>
        <source>No setting matches.</source>
        <translation>Keine Einstellung passt.</translation>
    </message>
    <message>
        <source>Decided by “%1”</source>
        <translation>Bestimmt durch „%1“</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::SideDrawer</name>
    <message>
        <source>Close this panel (Esc)</source>
        <translation>Diese Leiste schließen (Esc)</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::StatusStrip</name>
    <message>
        <source>Show the runs that are going on</source>
        <translation>Laufende Läufe zeigen</translation>
    </message>
    <message numerus="yes">
        <source>%n running</source>
        <translation>
            <numerusform>%n im Gang</numerusform>
            <numerusform>%n im Gang</numerusform>
        </translation>
    </message>
    <message>
        <source>samples</source>
        <translation>Beispiele</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::StepPanel</name>
    <message>
        <source>Show these images</source>
        <translation>Diese Bilder zeigen</translation>
    </message>
    <message>
        <source>Quantity</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Learnt from</source>
        <translation>Gelernt aus</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Verlust</translation>
    </message>
    <message>
        <source>Values of the step</source>
        <translation>Werte des Schritts</translation>
    </message>
    <message>
        <source>Samples of the step</source>
        <translation>Beispiele des Schritts</translation>
    </message>
    <message>
        <source>Click a point of a plot to see that step: its numbers, and what it learnt from.</source>
        <translation>Klicke auf einen Punkt einer Kurve, um diesen Schritt zu sehen: seine Zahlen und woraus er lernte.</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>Images of the step</source>
        <translation>Bilder des Schritts</translation>
    </message>
    <message>
        <source>Log lines about the step</source>
        <translation>Protokollzeilen zum Schritt</translation>
    </message>
    <message>
        <source>Tag of the image</source>
        <translation>Schlagwort des Bildes</translation>
    </message>
    <message>
        <source>Tag of %1 images</source>
        <translation>Schlagwort von %1 Bildern</translation>
    </message>
    <message>
        <source>A tag needs a name.</source>
        <translation>Ein Schlagwort braucht einen Namen.</translation>
    </message>
    <message>
        <source>Add tag</source>
        <translation>Hinzufügen</translation>
    </message>
    <message>
        <source>In the log a loss is the mean of the steps since the line before.</source>
        <translation>Im Protokoll ist ein Verlust das Mittel der Schritte seit der Zeile davor.</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::TrainPage</name>
    <message>
        <source>Start from a preset</source>
        <translation>Mit einer Vorlage beginnen</translation>
    </message>
    <message>
        <source>Presets</source>
        <translation>Vorlagen</translation>
    </message>
    <message>
        <source>Undo (Ctrl+Z)</source>
        <translation>Rückgängig (Strg+Z)</translation>
    </message>
    <message>
        <source>Redo (Ctrl+Y)</source>
        <translation>Wiederholen (Strg+Y)</translation>
    </message>
    <message>
        <source>Open a configuration</source>
        <translation>Konfiguration öffnen</translation>
    </message>
    <message>
        <source>Save the configuration (Ctrl+S)</source>
        <translation>Konfiguration sichern (Strg+S)</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>YAML</source>
        <translation>YAML</translation>
    </message>
    <message>
        <source>Changes</source>
        <translation>Änderungen</translation>
    </message>
    <message>
        <source>Find a setting</source>
        <translation>Einstellung suchen</translation>
    </message>
    <message>
        <source>Show every setting</source>
        <translation>Jede Einstellung zeigen</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>Go to the first problem</source>
        <translation>Zum ersten Problem</translation>
    </message>
    <message>
        <source>%1 (edited)</source>
        <translation>%1 (geändert)</translation>
    </message>
    <message>
        <source>1 problem</source>
        <translation>1 Problem</translation>
    </message>
    <message>
        <source>%1 problems</source>
        <translation>%1 Probleme</translation>
    </message>
    <message>
        <source>A file of another trainer…</source>
        <translation>Datei eines anderen Trainers…</translation>
    </message>
    <message>
        <source>Files of LLaMA-Factory, axolotl, Unsloth, ms-swift, AutoTrain and Hugging Face, PEFT&apos;s adapter_config.json; notebooks, programs in Python, shell scripts</source>
        <translation>Dateien von LLaMA-Factory, axolotl, Unsloth, ms-swift, AutoTrain und Hugging Face, adapter_config.json von PEFT; Notebooks, Python-Programme, Shell-Skripte</translation>
    </message>
    <message>
        <source>Demo: a tiny model</source>
        <translation>Demo: ein winziges Modell</translation>
    </message>
    <message>
        <source>LoRA of rank 8</source>
        <translation>LoRA mit Rang 8</translation>
    </message>
    <message>
        <source>QLoRA in 4 bits</source>
        <translation>QLoRA in 4 Bit</translation>
    </message>
    <message>
        <source>Questions about pictures</source>
        <translation>Fragen zu Bildern</translation>
    </message>
    <message>
        <source>Detection on Waymo at 448 px</source>
        <translation>Erkennung auf Waymo bei 448 px</translation>
    </message>
    <message>
        <source>Full fine-tuning on several machines</source>
        <translation>Volles Training auf mehreren Rechnern</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::VariantPanel</name>
    <message>
        <source>Add a setting</source>
        <translation>Einstellung hinzufügen</translation>
    </message>
    <message>
        <source>Put away</source>
        <translation>Wegräumen</translation>
    </message>
    <message>
        <source>Variants</source>
        <translation>Varianten</translation>
    </message>
    <message>
        <source>A run for every combination of these values.</source>
        <translation>Ein Lauf für jede Kombination dieser Werte.</translation>
    </message>
    <message>
        <source>Do not vary this</source>
        <translation>Das nicht variieren</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>Einstellung</translation>
    </message>
    <message>
        <source>Values, separated by commas</source>
        <translation>Werte, durch Kommas getrennt</translation>
    </message>
    <message>
        <source>now %1</source>
        <translation>jetzt %1</translation>
    </message>
    <message>
        <source>values, separated by commas</source>
        <translation>Werte, durch Kommas getrennt</translation>
    </message>
    <message numerus="yes">
        <source>Queue %n runs</source>
        <translation>
            <numerusform>%n Lauf einreihen</numerusform>
            <numerusform>%n Läufe einreihen</numerusform>
        </translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>Einreihen</translation>
    </message>
    <message>
        <source>The first one&apos;s folder ends with %1.</source>
        <translation>Der Ordner des ersten endet mit %1.</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::VerdictLine</name>
    <message>
        <source>try: %1</source>
        <translation>versuche: %1</translation>
    </message>
    <message>
        <source>  (up to +%1 %)</source>
        <translation>  (bis zu +%1 %)</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::WherePanel</name>
    <message>
        <source>not checked</source>
        <translation>nicht geprüft</translation>
    </message>
    <message>
        <source>no graphics card</source>
        <translation>keine Grafikkarte</translation>
    </message>
    <message>
        <source>No other machine is known yet.</source>
        <translation>Noch ist kein anderer Rechner bekannt.</translation>
    </message>
    <message>
        <source>Check these machines</source>
        <translation>Diese Rechner prüfen</translation>
    </message>
    <message>
        <source>Where it trains</source>
        <translation>Wo trainiert wird</translation>
    </message>
    <message>
        <source>This machine</source>
        <translation>Dieser Rechner</translation>
    </message>
    <message>
        <source>Other machines</source>
        <translation>Andere Rechner</translation>
    </message>
    <message>
        <source>Processes on each machine</source>
        <translation>Prozesse auf jedem Rechner</translation>
    </message>
    <message>
        <source>one per card</source>
        <translation>einer je Karte</translation>
    </message>
    <message>
        <source>Add a machine to the fleet</source>
        <translation>Rechner zur Flotte hinzufügen</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>Wo</translation>
    </message>
    <message>
        <source>Processes on each</source>
        <translation>Prozesse auf jedem</translation>
    </message>
    <message>
        <source>Machines of %1</source>
        <translation>Rechner von %1</translation>
    </message>
    <message>
        <source>not in the fleet</source>
        <translation>nicht in der Flotte</translation>
    </message>
    <message>
        <source>%1, group %2</source>
        <translation>%1, Gruppe %2</translation>
    </message>
    <message>
        <source>%1: nothing is missing</source>
        <translation>%1: nichts fehlt</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>Wird verglichen…</translation>
    </message>
    <message>
        <source>Copy what is missing to the machines</source>
        <translation>Fehlendes auf die Rechner kopieren</translation>
    </message>
    <message>
        <source>Model and data, where a machine lacks them or has others; compared before the run starts</source>
        <translation>Modell und Daten, wo sie einem Rechner fehlen oder dort andere sind; verglichen, bevor der Lauf startet</translation>
    </message>
    <message>
        <source>check failed</source>
        <translation>Prüfung gescheitert</translation>
    </message>
    <message>
        <source>0 stands for one per graphics card, and for a single one where there is none</source>
        <translation>0 steht für einen je Grafikkarte, und für einen einzigen, wo es keine gibt</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::WorkProgress</name>
    <message>
        <source>Reading recordings</source>
        <translation>Aufnahmen werden gelesen</translation>
    </message>
    <message>
        <source>Making thumbnails</source>
        <translation>Vorschaubilder entstehen</translation>
    </message>
    <message>
        <source>Writing</source>
        <translation>Wird geschrieben</translation>
    </message>
    <message>
        <source>images</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <source>samples</source>
        <translation>Beispiele</translation>
    </message>
    <message>
        <source>%1 of %2%3</source>
        <translation>%1 von %2%3</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>noch %1</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::WorstPanel</name>
    <message>
        <source>Show in Data</source>
        <translation>In Daten zeigen</translation>
    </message>
    <message>
        <source>Sample</source>
        <translation>Beispiel</translation>
    </message>
    <message>
        <source>Last loss</source>
        <translation>Letzter Verlust</translation>
    </message>
    <message>
        <source>Seen</source>
        <translation>Gesehen</translation>
    </message>
    <message>
        <source>Last step</source>
        <translation>Letzter Schritt</translation>
    </message>
    <message>
        <source>First loss</source>
        <translation>Erster Verlust</translation>
    </message>
    <message>
        <source>Worst loss</source>
        <translation>Höchster Verlust</translation>
    </message>
    <message>
        <source>All images, those that cost this run most first</source>
        <translation>Alle Bilder, die teuersten für diesen Lauf zuerst</translation>
    </message>
    <message>
        <source>Worst samples</source>
        <translation>Schlimmste Beispiele</translation>
    </message>
    <message>
        <source>Reading what each sample cost…</source>
        <translation>Was jedes Beispiel kostete, wird gelesen…</translation>
    </message>
    <message>
        <source>%1 samples, by what each cost when it was seen last</source>
        <translation>%1 Beispiele, nach dem Verlust, als sie zuletzt gesehen wurden</translation>
    </message>
    <message>
        <source>The %1 worst of %2 samples, by what each cost when it was seen last</source>
        <translation>Die %1 schlimmsten von %2 Beispielen, nach dem Verlust, als sie zuletzt gesehen wurden</translation>
    </message>
    <message>
        <source>Open its data</source>
        <translation>Seine Daten öffnen</translation>
    </message>
    <message>
        <source>Other data is open on the Data page; this opens that which the run learnt from</source>
        <translation>Auf der Seite Daten sind andere Daten offen; das öffnet die, aus denen der Lauf gelernt hat</translation>
    </message>
    <message>
        <source>No index has their pictures: the run learnt from %1.</source>
        <translation>Kein Index hat ihre Bilder: Der Lauf lernte aus %1.</translation>
    </message>
</context>
<context>
    <name>roadtune::widgets::YamlEdit</name>
    <message>
        <source>Configuration as text</source>
        <translation>Konfiguration als Text</translation>
    </message>
</context>
<context>
    <name>StepFacts</name>
    <message>
        <source>%1 (step %2)</source>
        <translation>%1 (Schritt %2)</translation>
    </message>
    <message>
        <source>Process %1</source>
        <translation>Prozess %1</translation>
    </message>
</context>
</TS>
