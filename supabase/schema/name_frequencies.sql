-- How common a name is among guests in Spain: an equal García is weaker evidence than an equal Íñiguez.
-- docs/identity.md ("Names") has the sources.

create table private.name_frequencies (
  kind text not null check (kind in ('given', 'surname')),
  name text not null check (name ~ '^[a-z]{3,30}$'),
  per_million real not null check (per_million > 0 and per_million < 1000000),
  primary key (kind, name)
);
comment on table private.name_frequencies is
  'The commonest names, one word each as private.name_tokens gives it. A name that is absent is rare: below about 100 in a million.';
comment on column private.name_frequencies.per_million is
  'given: of a million people, how many have the word among their given names; surname: of a million surnames, how many are this one. Residents of Spain (INE), and for each million of them 50,000 English and 30,000 Portuguese visitors. Rounded to three figures.';
alter table private.name_frequencies enable row level security;
grant select on private.name_frequencies to service_role;

insert into private.name_frequencies (kind, name, per_million)
select 'given', w[1], w[2]::real from regexp_matches($names$
maria 159000 jose 71900 antonio 35800 manuel 31700 juan 31400 carmen 28600 francisco 28200 ana 19900 luis 19900 jesus 16700 miguel 16600
javier 16600 isabel 16100 carlos 14900 angel 14800 dolores 12100 pilar 11000 david 10800 teresa 10200 josefa 10200 pedro 10100 rosa 9560 daniel 8280
cristina 7610 antonia 7470 angeles 7430 rafael 7110 fernando 7100 alberto 6690 alejandro 6680 laura 6560 francisca 6540 ramon 6210 elena 6020
luisa 6000 jorge 5980 pablo 5890 mercedes 5750 concepcion 5700 marta 5630 rosario 5460 sergio 5000 vicente 4950 enrique 4870 lucia 4730 andres 4460
juana 4350 manuela 4270 ignacio 4060 diego 4050 paula 4020 victor 3970 raquel 3860 patricia 3790 beatriz 3740 sara 3710 joaquin 3670 victoria 3560
eduardo 3560 raul 3530 adrian 3510 eva 3500 encarnacion 3480 alvaro 3390 rocio 3360 oscar 3350 belen 3280 julia 3280 ivan 3260 silvia 3210
santiago 3190 montserrat 3100 ruben 3090 esther 3090 angela 3000 nuria 3000 sandra 2980 andrea 2920 alfonso 2860 ricardo 2840 roberto 2830
monica 2820 inmaculada 2810 sonia 2800 susana 2730 yolanda 2710 margarita 2690 irene 2640 jaime 2630 mar 2620 emilio 2610 alicia 2590 julio 2560
mario 2550 alba 2540 marina 2450 salvador 2450 gabriel 2410 amparo 2400 tomas 2270 natalia 2180 julian 2180 marcos 2170 nieves 2170 gloria 2090
ines 2090 soledad 2040 agustin 2010 felix 1990 lourdes 1950 carolina 1950 jordi 1950 josep 1940 guillermo 1940 claudia 1920 veronica 1910
consuelo 1880 asuncion 1840 begona 1840 joan 1810 fatima 1810 luz 1780 noelia 1760 lorena 1690 sofia 1690 cesar 1660 domingo 1640 catalina 1640
milagros 1630 esperanza 1630 emilia 1610 olga 1610 cristian 1600 martin 1590 gonzalo 1570 mohamed 1540 felipe 1510 aurora 1510 carla 1490
mariano 1480 magdalena 1470 alfredo 1470 lidia 1440 nicolas 1430 miriam 1420 sebastian 1420 john 1410 alejandra 1400 blanca 1400 hugo 1400
celia 1390 marc 1350 nerea 1340 clara 1330 ismael 1310 samuel 1310 purificacion 1300 eugenia 1280 elisa 1270 josefina 1260 anna 1240 remedios 1220
virginia 1210 trinidad 1210 vanesa 1160 vicenta 1150 joao 1150 gema 1140 hector 1140 gregorio 1110 matilde 1110 esteban 1060 elvira 1050
daniela 1050 elizabeth 1040 araceli 1020 michael 1020 ascension 1020 rodrigo 1010 natividad 1010 aitor 1010 xavier 994 lorenzo 994 estefania 987
paz 954 eugenio 953 paloma 947 vanessa 945 cruz 939 paul 928 gemma 922 arturo 912 adriana 911 alexandra 907 ainhoa 900 cristobal 899 felisa 895
diana 877 jessica 876 mariana 858 james 854 robert 848 adela 842 jonathan 837 amelia 837 borja 823 marco 821 albert 819 leonor 811 almudena 808
cecilia 806 valentin 805 ramona 797 tamara 796 adolfo 792 tania 771 alex 761 rafaela 757 german 756 iker 755 amalia 752 noemi 751 guadalupe 749
rebeca 743 emma 736 alexander 728 barbara 725 benito 721 gabriela 720 lucas 703 fernanda 697 mohammed 694 ernesto 694 jennifer 691 joaquina 673
rita 664 francesc 657 estrella 656 peter 652 kevin 646 isidro 644 mireia 642 petra 641 gustavo 635 carmelo 634 bernardo 633 helena 633 jaume 632
pascual 630 gerardo 628 isaac 620 christian 618 aranzazu 606 agustina 606 juliana 603 abel 602 paulo 600 moises 597 william 593 federico 593
bruno 590 leticia 585 martina 584 reyes 580 ruth 576 benjamin 574 pau 573 laia 559 jon 551 adoracion 549 andrew 544 ester 541 mark 539 joana 535
sheila 534 rosalia 532 miquel 532 richard 529 joaquim 528 dario 528 aaron 527 mikel 525 ahmed 523 armando 519 mary 518 miren 509 joel 505 israel 501
aurelio 500 elisabet 499 carlota 496 fermin 495 piedad 493 carme 493 sarah 493 omar 492 judith 488 candelaria 487 paola 486 inigo 484 eulalia 483
sergi 483 eloy 478 simon 476 susan 476 ariadna 473 margaret 472 sagrario 472 mateo 471 marcelino 471 antoni 470 matias 466 valentina 463 asier 460
elias 460 bartolome 459 ioan 457 lluis 455 stephen 455 soraya 454 christopher 445 estela 443 santos 442 eric 442 amanda 440 lara 439 thomas 439
berta 433 damian 432 oriol 429 herminia 426 pere 424 anthony 423 vasile 421 enriqueta 419 judit 419 jacinto 415 eusebio 415 aida 415 leire 414
gracia 412 alexandre 412 florentina 412 macarena 409 inaki 402 elisabeth 401 dolors 399 jonatan 399 bautista 397 gerard 397 carles 396 leonardo 395
aitana 395 augusto 394 liliana 390 george 390 blas 389 unai 386 karen 384 alonso 384 erika 383 ann 380 delia 379 aroa 378 florin 377 ainara 373
victoriano 372 gregoria 370 jeronimo 370 merce 368 roman 367 justo 366 aurelia 366 adam 363 anne 360 gheorghe 356 pol 355 isidoro 353
consolacion 352 marian 351 elsa 350 teodoro 350 tatiana 349 candido 346 alan 345 candida 345 rui 344 roger 343 ander 343 dionisio 342 brian 342
arnau 341 florencio 341 ian 340 ion 338 gines 337 pino 336 marcelo 335 mirian 335 socorro 335 alexandru 335 mihaela 334 nadia 333 constantin 333
caridad 332 claudio 330 azucena 328 jean 324 marius 322 oliver 317 filipe 316 adria 314 andre 314 nuno 312 ramiro 311 said 311 valeria 311
angelica 309 itziar 307 alexis 305 africa 305 emiliano 304 yaiza 304 desamparados 304 jane 299 christine 299 fabian 298 faustino 298 jacqueline 297
nicolae 296 fidel 296 felicidad 294 naiara 294 amaia 294 serafin 293 xabier 292 enric 291 candela 290 steven 290 edgar 288 tomasa 284 esmeralda 284
maximo 283 tiago 282 matthew 282 maite 281 teodora 281 joseph 281 amador 280 benita 280 izan 279 visitacion 279 jairo 279 patricio 279 guillem 279
adelina 279 saray 278 agueda 278 eduard 276 abraham 275 sol 274 eloisa 274 conceicao 273 filomena 273 angustias 273 catarina 272 roser 272
margarida 271 julie 271 neus 270 hortensia 270 rogelio 270 ferran 269 mauricio 269 luciano 268 gorka 268 rachid 266 desiree 265 mihai 264 helen 262
ionut 260 adelaida 260 saul 259 flora 259 noa 257 modesto 257 monserrat 255 olivia 254 linda 254 violeta 253 avelino 252 marcela 250 ezequiel 250
nora 249 virtudes 249 yeray 247 fuensanta 247 leandro 246 rebecca 244 aina 244 regina 244 meritxell 241 louise 241 mustapha 240 ali 238
marcelina 238 eladio 238 florentino 237 hassan 236 amaya 236 alice 236 marti 236 paulino 235 iris 235 edward 234 segundo 234 charles 233 lydia 233
vitor 231 michelle 230 joseba 228 catherine 228 micaela 228 nelson 228 nicola 226 paulina 226 claire 226 celestino 225 martha 225 ildefonso 224
youssef 224 patrocinio 223 florencia 223 ane 223 cinta 220 camilo 217 alina 217 valle 217 salud 217 nestor 216 deborah 216 avelina 215
constantino 215 saturnino 213 rufino 212 estibaliz 210 dios 207 jacobo 207 aleix 206 clemente 206 elia 206 marie 206 angels 206 iria 206 dulce 206
delfina 205 khadija 204 andrei 204 diogo 204 ioana 203 auxiliadora 202 gaspar 200 jesusa 199 nazaret 198 igor 198 julen 198 jimena 197 josue 196
jenifer 196 edurne 196 janet 196 leyre 195 gary 195 hilario 194 stefan 193 samantha 193 erik 193 justa 192 felipa 192 jan 191 genoveva 191
gisela 191 basilio 191 andreu 190 salvadora 189 carol 189 oliva 189 raimundo 188 jack 188 feliciano 187 eneko 186 pamela 186 anabel 186 fabiola 186
nicoleta 186 vera 185 cayetano 185 philip 184 andoni 184 graca 184 evaristo 183 irina 183 lisa 182 sebastiana 182 manel 182 andreea 181 benigno 181
orlando 181 angelina 180 aurea 179 graciela 178 marcial 177 lurdes 177 obdulia 175 lorenza 175 yasmina 175 palmira 174 isidora 174 marisol 173
rachel 173 coral 172 alfonsa 172 lola 172 sabina 170 cecilio 169 izaskun 169 loreto 168 laureano 168 ingrid 168 narciso 168 eliseo 167 idoia 167
covadonga 167 engracia 166 nicholas 166 jacinta 165 henry 165 rodolfo 165 leopoldo 165 arantxa 164 lina 164 patrick 163 imanol 163 anton 161
ignacia 160 octavio 160 celeste 159 dumitru 159 brigida 159 humberto 158 otilia 158 hannah 158 charlotte 157 aicha 157 dionisia 156 evangelina 156
alison 155 bernardino 155 zaira 155 rufina 154 modesta 154 naima 154 anibal 153 khalid 153 emily 153 muhammad 153 flor 153 demetrio 153 rosana 153
andreia 152 sophie 152 clotilde 152 ricard 151 ainoa 151 simona 151 amy 151 jesica 150 luna 150 hernan 150 josu 150 nayara 149 gertrudis 148
ursula 148 valeriano 147 abdelkader 147 joanne 147 nancy 147 lucio 146 balbina 146 presentacion 146 irati 146 salome 146 fabio 145 cesareo 145
abdellah 145 joshua 144 marcel 143 dominga 143 cipriano 142 anselmo 141 bienvenida 141 sharon 141 katherine 141 roxana 140 harry 139 catalin 139
maribel 139 emiliana 138 lazaro 138 anastasio 138 lucy 138 georgina 138 eulogio 137 jana 137 mireya 137 goncalo 137 davinia 137 mauro 137 camila 137
debora 136 salma 135 roque 135 celso 135 artur 134 filipa 134 mariona 134 gladys 133 iratxe 133 lee 132 bienvenido 132 eusebia 132 divina 131
yanira 131 viorel 131 caroline 131 amadeo 130 ionel 130 malika 130 azahara 130 iluminada 130 ionela 130 feliciana 129 maider 129 placido 129
hicham 129 zohra 129 samira 128 graham 128 anunciacion 128 teofilo 128 nicole 128 felicitas 128 anastasia 127 karina 127 iciar 126 baltasar 126
aritz 126 bernabe 126 casimiro 126 brahim 126 keith 126 mamadou 125 alexia 125 abdelaziz 125 inocencia 123 victorina 123 herminio 122 vidal 122
norma 122 fulgencio 122 iago 121 yago 121 encarna 120 norberto 120 sacramento 120 myriam 120 concepcio 119 ryan 119 ariel 119 celestina 119
fatiha 119 mariam 119 milena 118 nicolasa 118 ibai 118 walter 118 zahra 118 guillermina 118 sorin 117 nagore 117 marino 116 bernat 116 pastora 115
baldomero 115 maximino 115 faustina 115 anabela 115 fermina 115 francesca 114 sonsoles 114 abril 113 bogdan 113 rachida 113 henar 112 aquilino 112
saturnina 112 amor 112 sarai 111 hamid 111 brais 111 nil 111 luke 110 erica 110 amina 110 melania 109 nelida 109 vicent 109 maialen 109 ofelia 108
hipolito 108 prado 108 kelly 108 tracey 108 bryan 108 minerva 108 gumersindo 108 rosendo 107 abderrahim 107 bonifacio 107 karima 107 serafina 107
asis 107 pascuala 107 colin 106 neil 106 ignasi 106 iulian 106 helder 106 basilisa 106 arsenio 106 victorino 105 biel 105 wendy 105 elisabete 105
kathleen 105 melchor 105 eleuterio 104 adan 104 karim 104 bilal 104 virgilio 104 olatz 104 higinio 104 denis 104 alma 103 abdeslam 103 rene 103
cintia 102 aya 102 chloe 102 noel 102 urbano 102 viviana 101 saida 101 oier 101 diane 101 gillian 101 edwin 101 benedicta 100 grace 100 celsa 100
isolina 100 argentina 100 maximiliano 100 arantzazu 99 hamza 99 didac 99 dorothy 99 bibiana 98 maravillas 97 abelardo 97 aimar 97 venancio 97
driss 96 laila 96 ventura 96 severino 96 casilda 96 yurena 96 clementina 96 candelas 95 antia 95 madalena 95 horacio 95 mostafa 95 johanna 95
cristo 94 anais 94 jeronima 94 ceferino 94 natalie 93 lauren 91 domingos 90 stuart 90 craig 89 dawn 87 barry 87 liam 87 maureen 87 afonso 86
lesley 86 fiona 83 heather 83 duarte 80 vania 76 martim 75 nigel 72 nathan 71 scott 71 sally 70 sean 69 jake 68 megan 67 holly 62 frances 60 lynn 58
georgia 58 deolinda 58 ben 52 kate 51 adelaide 51 molly 48 tom 42 philippa 26
$names$, '([a-z]+) ([0-9]+)', 'g') as w;

insert into private.name_frequencies (kind, name, per_million)
select 'surname', w[1], w[2]::real from regexp_matches($names$
garcia 35000 fernandez 21800 gonzalez 21700 rodriguez 21500 lopez 20700 martinez 19500 sanchez 19400 perez 18400 martin 11900 gomez 11600
jimenez 8970 ruiz 8860 hernandez 8280 diaz 8200 moreno 7400 alvarez 6600 munoz 6550 romero 5080 alonso 4590 gutierrez 4530 navarro 4070 torres 3910
dominguez 3650 ramos 3460 vazquez 3430 gil 3320 santos 3320 ramirez 3110 serrano 3060 castro 3010 blanco 2890 suarez 2810 molina 2800 morales 2770
silva 2740 ortega 2710 delgado 2710 ortiz 2580 rubio 2440 cruz 2380 marin 2360 sanz 2170 castillo 2160 nunez 2100 iglesias 2070 medina 2010
garrido 1980 pena 1960 cortes 1910 cano 1880 leon 1840 lozano 1840 guerrero 1810 prieto 1700 vega 1680 mendez 1670 calvo 1660 gallego 1620
vidal 1600 herrera 1590 campos 1590 marquez 1580 flores 1560 cabrera 1550 diez 1530 pereira 1490 fuentes 1490 carrasco 1450 reyes 1450
caballero 1430 nieto 1410 santana 1370 san 1360 aguilar 1360 pascual 1350 lorenzo 1330 herrero 1320 gimenez 1320 hidalgo 1310 montero 1290
vicente 1290 costa 1290 ibanez 1280 ferrer 1270 mora 1240 duran 1230 santiago 1230 arias 1220 benitez 1210 vargas 1200 roman 1200 carmona 1190
crespo 1160 ferreira 1160 saez 1150 soto 1120 pastor 1120 velasco 1100 moya 1070 bravo 1070 parra 1060 esteban 1050 miguel 1050 soler 1050 rey 1040
rojas 1040 gallardo 1030 pardo 1020 merino 1000 lara 984 rios 973 espinosa 973 izquierdo 960 franco 960 rivas 947 arroyo 947 rivera 944 redondo 943
vera 942 montes 941 camacho 935 andres 928 casado 923 sierra 922 luque 912 otero 905 galan 898 segura 896 marcos 892 carrillo 883 mendoza 866
benito 851 valle 851 robles 849 exposito 845 bernal 844 marti 841 soriano 838 guerra 827 miranda 827 vila 822 valero 818 palacios 813 heredia 813
villar 801 bueno 800 varela 800 oliveira 796 macias 794 mateo 787 rosa 787 fuente 787 pozo 785 roldan 779 mateos 776 smith 762 juan 758 rio 756
contreras 753 gracia 752 guillen 748 torre 745 menendez 735 aguilera 734 escudero 732 marques 731 aparicio 721 casas 721 rivero 711 rico 707
beltran 707 pacheco 706 plaza 704 estevez 701 padilla 699 abad 696 conde 696 quintana 693 calderon 692 galvez 691 pinto 689 guzman 689 salas 684
aranda 677 rodrigues 677 acosta 676 jurado 675 blazquez 675 salazar 674 bermudez 671 roca 666 cuesta 660 tomas 658 santamaria 654 villanueva 649
avila 646 sousa 646 trujillo 641 manzano 640 serra 638 hurtado 637 rueda 636 millan 632 mesa 623 lazaro 619 jones 618 luna 617 simon 616 paz 615
pons 613 sancho 609 alarcon 606 escobar 600 martins 599 blasco 596 castano 590 jesus 589 bermejo 589 paredes 581 zamora 580 salvador 580 ponce 572
almeida 572 anton 571 ballesteros 569 pino 564 valverde 562 lucas 561 maldonado 559 oliva 559 bautista 557 rodrigo 547 lorente 544 cordero 541
cuevas 540 moral 539 collado 536 murillo 531 campo 531 mas 531 cuenca 530 montoya 529 barrera 529 fernandes 528 corral 527 martos 525 alba 521
barroso 520 goncalves 518 quesada 517 marco 517 mata 515 alves 512 navas 511 arenas 507 ordonez 507 linares 503 ros 501 rojo 501 cabello 500
domingo 500 pulido 500 gimeno 500 caro 498 gomes 497 soria 497 escribano 494 mena 493 puig 492 ramon 491 saiz 491 vallejo 487 aguado 487 galindo 484
asensio 483 prado 483 valencia 481 reina 478 polo 478 aguirre 473 heras 469 naranjo 462 villalba 462 moran 458 leal 454 burgos 453 lopes 453
olmo 451 amador 448 ojeda 444 moreira 443 carretero 438 clemente 436 luis 435 villa 432 aragon 432 ribeiro 431 bonilla 430 oliver 428 cordoba 427
carrera 422 sosa 422 roig 420 caceres 419 toledo 416 carrion 416 calero 415 cardenas 412 castellano 410 hernando 410 andreu 409 mohamed 406 cobo 406
sola 406 williams 403 toro 402 saavedra 401 chacon 400 correa 399 alcaraz 398 velazquez 397 juarez 396 llorente 393 riera 392 domenech 391
zapata 390 nicolas 389 vela 389 rocha 388 cid 384 sevilla 383 salgado 382 villegas 382 ayala 382 pelaez 379 arribas 379 alfonso 378 puente 377
olivares 377 carbonell 376 duarte 375 pineiro 373 barrios 372 carballo 371 requena 369 quintero 368 solis 368 araujo 368 diego 368 font 366 haro 364
carvalho 363 perea 362 barrio 362 esteve 361 salinas 360 rincon 359 arevalo 358 castilla 353 bosch 351 grau 351 marrero 351 ochoa 350 pineda 350
palomo 350 taylor 349 sainz 348 cantero 348 ballester 348 calle 348 teixeira 346 lago 344 belmonte 343 muniz 342 sanchis 342 miralles 341 camara 338
sala 338 porras 337 palma 335 barba 335 baena 335 casanova 335 arranz 335 recio 333 cardona 332 cobos 330 velez 330 madrid 330 angulo 330
herranz 329 barreiro 328 coll 327 saenz 327 ventura 327 vaquero 325 cuadrado 325 brown 324 cabezas 324 cervera 323 ocana 322 navarrete 319 bello 315
pujol 314 granados 314 tapia 314 davies 312 vergara 312 brito 312 becerra 310 mejias 310 alfaro 309 sastre 308 andrade 308 losada 308 gamez 307
real 306 corrales 304 pina 303 peralta 302 estrada 302 egea 302 alcantara 301 fraile 301 latorre 301 castellanos 300 valls 300 pavon 300 borrego 300
barragan 299 machado 299 falcon 299 galvan 299 rovira 298 barbero 298 cebrian 295 ruano 295 morcillo 294 sole 294 huertas 293 ferreiro 293 godoy 293
catalan 292 cerezo 292 valenzuela 292 arjona 292 jorge 291 aznar 291 segovia 289 guijarro 289 jose 289 peinado 289 yanez 288 carvajal 285
portillo 284 fajardo 284 cardoso 283 valdes 282 tena 282 huerta 281 gordillo 281 espejo 281 morillo 280 canovas 280 melero 279 alcaide 279
correia 279 ariza 279 royo 278 frias 278 davila 278 rosales 277 agudo 276 lobato 276 tejero 275 criado 274 llamas 274 gonzalo 274 mendes 274
quiros 274 figueroa 274 moyano 273 romera 273 duque 273 alcala 273 serna 273 freire 271 barros 270 calleja 269 fonseca 269 mota 269 cabeza 269
alcazar 268 chamorro 267 tirado 267 rosado 267 dorado 266 zambrano 266 frutos 266 pizarro 265 pla 264 solano 263 grande 263 mosquera 263
lafuente 262 matos 260 alcalde 259 aviles 258 vieira 258 olmedo 258 arce 258 pazos 257 pinero 256 bartolome 256 paniagua 256 sebastian 255
noguera 255 evans 254 ferrero 253 vives 252 chaves 252 bonet 252 rebollo 251 felipe 251 garzon 250 barranco 250 llorens 248 salcedo 248 poveda 247
souto 247 soares 247 bilbao 247 osorio 246 amaya 246 hervas 245 salguero 245 mellado 245 mateu 244 thomas 244 valles 243 abellan 243 laguna 241
garces 241 palomino 241 molero 240 alvarado 239 carreno 238 fuertes 237 orozco 237 paez 237 llopis 236 valiente 236 afonso 236 chen 236 giner 236
castello 235 borras 235 palomares 235 mira 235 arcos 234 ribas 234 nunes 234 tejada 233 barcelo 233 francisco 233 armas 233 borja 232 osuna 231
maestre 230 castaneda 230 singh 229 canas 229 pareja 228 montesinos 228 puertas 227 zafra 227 bellido 226 vizcaino 226 minguez 226 chavez 225
luengo 225 baeza 224 leiva 223 barbosa 223 bustamante 223 prats 223 gascon 223 bustos 222 pablo 222 vilchez 221 carreras 221 montoro 221
ceballos 221 wilson 220 perales 219 alegre 219 jaen 219 urbano 218 monteiro 218 olmos 218 maroto 217 prada 217 lima 216 dios 216 zaragoza 216
gago 215 tello 215 banos 215 monge 215 enriquez 214 campillo 214 peris 213 acevedo 213 murcia 212 johnson 212 casal 212 amo 212 alamo 211 valera 210
ledesma 210 patino 210 cazorla 209 roberts 209 tejedor 209 sanjuan 208 nadal 208 lobo 208 seoane 207 sobrino 207 zabala 207 jara 206 blas 205
pallares 205 ripoll 205 aleman 204 verdu 204 fuster 204 salmeron 204 ferre 204 maya 203 vilar 203 jerez 203 sandoval 203 bejarano 202 moro 202
veiga 201 barea 201 barrero 201 conesa 201 fraga 199 mari 199 cerda 199 catala 199 prados 199 orellana 199 padron 199 puerto 199 dias 199 ayuso 198
tamayo 198 baez 198 jordan 198 mayor 198 dieguez 197 sarmiento 197 ferrando 197 vasquez 197 climent 197 tortosa 196 arteaga 196 pires 196
montiel 196 amoros 195 val 195 manso 194 echevarria 194 alvaro 194 penalver 193 abril 193 marino 193 ribera 192 moron 192 taboada 191 echeverria 191
abreu 191 atienza 191 cerro 191 yuste 190 pedro 190 infante 190 arana 190 pedrosa 189 peral 189 jaramillo 189 canales 189 vinas 188 batista 188
galera 188 montano 187 manrique 187 medrano 186 sampedro 186 pinilla 185 ubeda 185 berenguer 185 manzanares 185 miguez 185 villaverde 184
nogales 184 duenas 183 novoa 183 robinson 183 palacio 182 teruel 182 ahmed 182 acedo 182 lucena 181 puerta 181 albert 181 villena 181 ibarra 181
miro 181 ortuno 181 quevedo 180 raya 180 cifuentes 180 espada 180 frances 180 herreros 180 almagro 179 checa 179 perdomo 179 talavera 179
robledo 179 sevillano 178 ares 177 wright 177 mejia 176 merchan 176 trigo 176 maza 176 thompson 175 espana 175 hermida 175 white 175 lujan 174
bolanos 174 walker 173 iniesta 172 guevara 172 macia 172 cunha 172 neves 172 coelho 171 coronado 171 segarra 171 granado 171 barbera 171 bernabe 171
morillas 170 matas 170 cubero 170 tome 170 tellez 169 balaguer 169 prat 169 mayo 169 caparros 168 amor 168 zamorano 168 toribio 168 lamas 167
martorell 167 buendia 167 montilla 166 vaca 166 carro 166 badia 166 green 166 hall 166 encinas 165 rodenas 165 wood 165 sanmartin 165 romo 165
monzon 165 giraldo 165 edwards 164 vivas 164 mayoral 164 reis 163 arellano 163 coca 163 canete 163 goni 163 mariscal 163 melian 163 bernabeu 162
saura 162 boix 162 peiro 162 camps 162 molinero 162 parrilla 162 lema 162 julian 161 farina 161 costas 161 piqueras 161 hinojosa 161 cuellar 161
harris 160 cervantes 160 canto 160 fidalgo 160 andujar 160 valdivia 159 melendez 159 pico 159 tovar 159 canadas 159 narvaez 159 hughes 159
picazo 159 lewis 158 mir 158 pedraza 158 gordo 158 sepulveda 158 acuna 157 parada 157 solana 157 quiles 157 lloret 157 iglesia 157 carrero 157
sales 157 rial 156 guisado 156 jackson 156 planas 156 zurita 155 revuelta 155 clarke 154 antolin 154 gamero 154 mera 154 penas 153 giron 153
carrascosa 153 cespedes 153 urena 152 viera 152 hermoso 152 arnau 152 hoyos 152 llanos 151 clark 150 mestre 150 verdugo 150 seco 150 codina 149
melo 149 palau 149 sabater 149 torregrosa 149 perera 148 quiroga 148 adan 148 elvira 148 botella 148 riquelme 148 calatayud 147 ali 147 herraiz 147
revilla 147 novo 147 aguila 147 vilches 147 farre 147 labrador 146 toledano 146 pellicer 146 florez 146 jaime 146 centeno 146 espinoza 146
amores 146 cristobal 146 chico 145 vegas 145 ribes 145 cabanas 144 santa 144 quero 144 alemany 144 parejo 144 turner 144 mansilla 144 nevado 144
caamano 144 segui 144 cordon 143 hill 143 rosario 143 freitas 143 simoes 143 palazon 143 antunez 143 benavides 143 borges 142 jimeno 142 vico 142
comas 142 lora 142 galiano 142 nieves 142 silvestre 142 camino 141 ramiro 141 cantos 141 hierro 141 montenegro 141 gregorio 141 neira 141
guardiola 141 scott 141 tudela 141 sacristan 140 espino 140 loureiro 140 torralba 140 belda 140 trillo 140 uriarte 139 arnaiz 139 guirado 139
antunes 139 canizares 138 rosell 138 cooper 138 postigo 138 berrocal 138 chica 138 capdevila 137 yague 137 sempere 137 feijoo 136 cabanillas 136
cornejo 136 sans 135 rosello 135 moore 135 maria 135 colomer 135 figueras 135 cabo 135 perello 135 quinones 135 concepcion 134 pablos 134
gisbert 134 megias 133 torrejon 133 aroca 132 ward 132 chaparro 132 amado 132 portela 132 campoy 132 aliaga 132 manas 132 bernardo 131 tejera 131
carpio 131 cueto 131 cerdan 131 espin 131 gilabert 130 king 130 meseguer 130 monteagudo 129 morato 129 valcarcel 129 vara 129 guardia 128 gea 128
marmol 128 amat 128 garriga 128 morris 128 bastida 128 olivera 128 calzada 127 ugarte 127 carranza 127 betancor 127 lin 127 oviedo 127 mercado 127
plasencia 127 morilla 127 tavares 126 gabarri 126 reig 126 morera 126 gaspar 125 guirao 125 conejo 125 holgado 125 larrea 125 ropero 124 muriel 124
barco 124 saldana 123 zuniga 123 jorda 123 dorta 123 matias 123 nogueira 123 paris 123 vaz 122 wang 122 gavilan 122 casals 122 morgan 122
castells 122 julia 122 melgar 122 ruz 121 reche 121 lillo 121 florido 121 casares 121 pueyo 121 barrientos 121 valderrama 121 samper 120 ferrera 120
tur 120 pereda 120 rus 120 maestro 119 urrutia 119 carpintero 119 mato 119 daza 119 salamanca 119 benavente 119 martel 118 higueras 118 pintado 118
deniz 118 casero 117 lee 117 cabrero 117 harrison 117 zarate 117 coello 117 asenjo 117 verdejo 117 baker 117 capilla 117 pajares 116 llorca 116
busto 116 montalvo 116 anaya 116 simo 116 poza 116 pozuelo 116 jover 116 bayon 116 arrieta 116 elias 115 candela 115 hoyo 115 casanovas 115
lorca 115 angel 115 rama 114 palomar 114 ferreras 114 garmendia 114 puga 114 allen 114 rius 114 merida 114 noriega 114 valentin 114 torrado 114
agullo 113 garay 113 iriarte 113 vilanova 113 salido 113 gomis 113 benavent 113 corbacho 113 gallo 112 monje 112 zorrilla 112 briones 112 cuervo 112
roda 112 pages 112 vadillo 112 ben 112 figueiredo 112 lourenco 112 trivino 112 donoso 111 granda 111 buitrago 111 albaladejo 111 antonio 111
azevedo 110 anguita 110 mediavilla 110 montalban 110 villalobos 110 portero 110 esparza 110 sabate 110 barriga 110 quintanilla 110 porcel 110
canal 110 miquel 110 mancebo 110 palmer 109 rabadan 109 pita 109 ayllon 109 aragones 109 escalante 109 rubia 109 meneses 109 tormo 109 milan 109
ferrandez 109 clavijo 109 james 109 cascales 109 espinar 108 pinol 108 escriva 108 anderson 108 pelayo 108 khan 108 larranaga 108 mitchell 108
madrigal 108 amigo 108 cadenas 108 roncero 107 company 107 blanch 107 bou 107 torrent 107 picon 107 giraldez 106 molla 106 muro 106 jodar 106
llano 106 canada 106 sanabria 106 morais 106 aguiar 106 barreto 106 garrote 106 dalmau 106 flor 106 patel 106 paya 106 plata 106 antequera 106
tenorio 106 phillips 105 monreal 105 cisneros 105 iniguez 105 porta 105 donaire 105 almansa 105 montesdeoca 105 sarabia 104 cortijo 104
castillejo 104 arco 104 justo 104 souza 104 davis 104 infantes 104 bell 104 cozar 104 siles 104 raposo 104 priego 104 montanes 104 reguera 103
gines 103 alberdi 103 terron 103 parraga 103 miguelez 103 macho 103 uribe 103 aguera 102 maqueda 102 abella 102 berlanga 102 viejo 102 arguelles 102
albarran 101 barahona 101 zhang 101 escalona 101 carbajo 101 mico 101 vacas 101 arcas 101 cueva 101 porto 101 triguero 101 velasquez 101 campana 101
lluch 101 puche 101 castejon 100 arregui 100 bayo 100 parker 100 milla 100 regueiro 100 bertran 100 palmero 100 cepeda 100 panadero 100 barrena 100
granero 100 lastra 100 blanca 99 rua 99 felix 99 jauregui 99 morgado 99 morante 99 higuera 98 tornero 98 caraballo 98 teran 98 villarreal 98 roa 98
fortes 98 zambrana 98 querol 98 manjon 98 vigo 98 carracedo 98 gabarre 98 abascal 98 alcon 98 monroy 97 plana 97 sedano 97 valladares 97 watson 97
moliner 97 sotelo 97 vilas 97 castrillo 96 gazquez 96 mulero 96 pinedo 96 caravaca 96 moraleda 96 tebar 96 cuartero 96 castell 96 rocamora 96
canton 95 almazan 95 utrera 95 grana 95 bennett 95 cerrato 95 bazan 95 pradas 95 carbo 95 pomares 95 machin 95 torrijos 95 nino 95 amaro 94 hoz 94
mendizabal 94 quintas 94 bolivar 94 henriquez 94 trinidad 94 rozas 94 roque 94 asencio 94 baron 94 viana 94 shaw 94 gandia 93 pinheiro 93 sendra 93
brea 93 mengual 93 aguayo 93 pedrero 93 dura 92 calzado 92 nebot 92 miras 92 fabregat 92 rosillo 92 carnero 92 canals 92 parrado 92 artiles 92
conejero 92 uceda 92 baptista 92 torrente 91 mangas 91 morell 91 escamilla 91 donate 91 armengol 91 orta 91 alsina 91 marina 91 riveiro 91 parras 91
landa 91 cutillas 91 ramis 91 colom 90 laso 90 aramburu 90 cook 90 camarero 90 seijas 90 lledo 90 posada 90 vilarino 90 nicolau 90 diz 90 oller 89
richardson 89 busquets 89 parreno 89 arnal 89 guerreiro 89 carter 89 venegas 89 bejar 89 ivanov 89 huguet 89 abadia 89 cases 89 salvatierra 89
lahoz 88 rosas 88 mingo 88 galiana 88 matamoros 88 monfort 88 gonzales 88 baquero 88 ferro 88 pantoja 88 egido 88 leite 88 barnes 88 couto 88
espina 87 antelo 87 cayuela 87 young 87 collins 87 torrecilla 87 casillas 87 miller 87 varo 87 romano 87 coronel 87 losa 87 reinoso 87 morata 87
lavado 87 quilez 87 yanes 86 devesa 86 valbuena 86 tercero 86 fresno 86 faria 86 torrecillas 86 fontan 86 andrades 86 nascimento 86 orts 86
simarro 86 barcia 86 alcolea 86 agustin 85 ferri 85 urbina 85 canet 85 rossello 85 barral 85 pastrana 85 ferrandiz 85 arrabal 85 linan 85 matilla 85
motos 85 bas 85 pereiro 84 vendrell 84 nuno 84 goicoechea 84 vicent 84 cortina 84 gordon 84 iborra 84 palencia 84 romeo 84 tolosa 84 barrionuevo 84
liebana 84 mugica 84 samaniego 84 magalhaes 84 moll 83 borrero 83 price 83 diallo 83 aguero 83 pintor 83 barreda 83 aller 83 hita 83 blanes 83
barquero 83 bedoya 83 lage 83 duro 83 hussain 83 artigas 83 gadea 83 toscano 83 coto 83 rego 83 masip 83 feliu 83 pombo 82 henriques 82 acero 82
estebanez 82 huete 82 vivancos 82 iranzo 82 griffiths 82 alegria 82 lavin 82 regalado 81 selles 81 esteves 81 funes 81 gonzalvez 81 corcoles 81
alguacil 81 rangel 81 carreira 81 cedeno 81 bajo 81 araque 81 artero 81 adams 81 yepes 81 bernad 80 galisteo 80 solera 80 almendros 80 navalon 80
llinares 80 ortigosa 80 saborido 80 cox 80 notario 80 consuegra 80 torrico 80 lasa 80 ellis 79 marshall 79 moura 77 amaral 77 macedo 76 simpson 74
murphy 73 wilkinson 72 richards 72 kelly 69 rogers 68 chapman 68 foster 68 webb 67 campbell 65 domingues 64 gray 64 guimaraes 63 mills 62 stevens 62
mason 62 powell 62 hunt 61 holmes 61 branco 61 owen 60 russell 58 butler 58 matthews 57 knight 57 barker 57 fisher 57 lloyd 55 stewart 54
reynolds 54 murray 54 graham 52 pearson 51 jenkins 50 stevenson 44 robertson 42 hamilton 41 ross 39 grant 38 walsh 38 ryan 36 reid 36 henderson 36
kennedy 32 obrien 30 byrne 27 sullivan 27 oconnor 25 macdonald 25 ferguson 24 cameron 23 paterson 23
$names$, '([a-z]+) ([0-9]+)', 'g') as w;

update private.name_variants v set is_commonest = true
from (
  select distinct on (n.spelling, n.kind) n.spelling, n.kind, n.canonical
  from private.name_variants n
  left join private.name_frequencies f on f.kind = n.kind and f.name = split_part(n.canonical, ' ', 1)
  order by n.spelling, n.kind, f.per_million desc nulls last, n.canonical
) as c
where v.spelling = c.spelling and v.kind = c.kind and v.canonical = c.canonical;

create unique index name_variants_commonest_idx on private.name_variants (spelling, kind) include (canonical)
  where is_commonest;
