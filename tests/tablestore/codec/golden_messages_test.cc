#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

#include <catch2/catch.hpp>

#include "support/hex.h"
#include "tablestore/api/client.h"
#include "tablestore/wire/endpoint.h"

// Every message of a request and a reply, as the official encoders write it, with a value in each field that
// they know: those of the client for Python 6.4.8, and of tunnels that of Go 4.1.3 (tablestore/messages.md
// sections 1 to 6, tablestore/search-index.md section 1, tablestore/tunnel.md section 1).
namespace dinette::tablestore::golden_messages_test {

template <class Message>
std::string round_trip(std::string_view bytes) {
  const auto message = codec::decode_message<Message>(bytes);
  return message ? codec::encode_message(*message) : "not read";
}

struct Golden {
  std::string_view name;
  std::string (*round_trip)(std::string_view bytes);
  std::string_view hex;
  std::string_view added = {};  ///< a field that has its default value, which that client does not know
};

// clang-format off
constexpr Golden all[] = {
    // Python
    {"AbortTransactionRequest", &round_trip<api::AbortTransactionRequest>,
     "0a0f7472616e73616374696f6e5f696430"},
    {"AbortTransactionResponse", &round_trip<api::AbortTransactionResponse>,
     ""},
    {"AddDefinedColumnRequest", &round_trip<api::AddDefinedColumnRequest>,
     "0a0b7461626c655f6e616d653012090a056e616d65301007"},
    {"AddDefinedColumnResponse", &round_trip<api::AddDefinedColumnResponse>,
     ""},
    {"AggregationsResult", &round_trip<api::AggregationsResult>,
     "0a160a056e616d653010081a0b6167675f726573756c7430"},
    {"AnalyzerParameter", &round_trip<api::AnalyzerParameter>,
     "0a0a64656c696d6974657230"},
    {"BatchGetRowRequest", &round_trip<api::BatchGetRowRequest>,
     "0a99010a0b7461626c655f6e616d6530120c7072696d6172795f6b657930120c7072696d6172795f6b657931"
     "1a06746f6b656e301a06746f6b656e31220f636f6c756d6e735f746f5f67657430220f636f6c756d6e735f74"
     "6f5f676574312a150881808080802010828080808020188380808080203006420766696c746572304a0d7374"
     "6172745f636f6c756d6e30520b656e645f636f6c756d6e30"},
    {"BatchGetRowResponse", &round_trip<api::BatchGetRowResponse>,
     "0a3f0a0b7461626c655f6e616d65301230080112110a05636f64653012086d657373616765301a060a040801"
     "10022204726f77302a0b6e6578745f746f6b656e30"},
    {"BatchWriteRowRequest", &round_trip<api::BatchWriteRowRequest>,
     "0a650a0b7461626c655f6e616d653012560803120b726f775f6368616e6765301a1508021211636f6c756d6e"
     "5f636f6e646974696f6e30222e0802121472657475726e5f636f6c756d6e5f6e616d65733012147265747572"
     "6e5f636f6c756d6e5f6e616d657331120f7472616e73616374696f6e5f696430"},
    {"BatchWriteRowResponse", &round_trip<api::BatchWriteRowResponse>,
     "0a320a0b7461626c655f6e616d65301223080112110a05636f64653012086d657373616765301a060a040801"
     "10022204726f7730"},
    {"BoolQuery", &round_trip<api::BoolQuery>,
     "0a0a08141206717565727930120a081412067175657279301a0a08141206717565727930220a081412067175"
     "657279302805"},
    {"ColumnPaginationFilter", &round_trip<api::ColumnPaginationFilter>,
     "08011002"},
    {"CommitTransactionRequest", &round_trip<api::CommitTransactionRequest>,
     "0a0f7472616e73616374696f6e5f696430"},
    {"CommitTransactionResponse", &round_trip<api::CommitTransactionResponse>,
     ""},
    {"CompositeColumnValueFilter", &round_trip<api::CompositeColumnValueFilter>,
     "0803120b0803120766696c74657230"},
    {"CompositeGroups", &round_trip<api::CompositeGroups>,
     "0a520a056b657973300a056b65797331108280808080201a180a160a056e616d653010081a0b6167675f7265"
     "73756c7430221d0a1b0a056e616d653010081a1067726f75705f62795f726573756c7430280128011216736f"
     "757263655f67726f75705f62795f6e616d6573301216736f757263655f67726f75705f62795f6e616d657331"
     "1a0b6e6578745f746f6b656e30"},
    {"ComputeSplitPointsBySizeRequest", &round_trip<api::ComputeSplitPointsBySizeRequest>,
     "0a0b7461626c655f6e616d653010828080808020"},
    {"ComputeSplitPointsBySizeResponse", &round_trip<api::ComputeSplitPointsBySizeResponse>,
     "0a060a0408011002120b0a056e616d6530100318011a0d73706c69745f706f696e7473301a0d73706c69745f"
     "706f696e74733122120a096c6f636174696f6e3010848080808040"},
    {"ComputeSplitsRequest", &round_trip<api::ComputeSplitsRequest>,
     "0a0b7461626c655f6e616d6530120d0a0b696e6465785f6e616d6530"},
    {"ComputeSplitsResponse", &round_trip<api::ComputeSplitsResponse>,
     "0a0b73657373696f6e5f6964301002"},
    {"ConstScoreQuery", &round_trip<api::ConstScoreQuery>,
     "0a0a08141206717565727930"},
    {"CountResult", &round_trip<api::CountResult>,
     "08818080808020"},
    {"CreateIndexRequest", &round_trip<api::CreateIndexRequest>,
     "0a106d61696e5f7461626c655f6e616d6530124b0a056e616d6530120c7072696d6172795f6b657930120c70"
     "72696d6172795f6b6579311a0f646566696e65645f636f6c756d6e301a0f646566696e65645f636f6c756d6e"
     "312001280130021801"},
    {"CreateIndexResponse", &round_trip<api::CreateIndexResponse>,
     ""},
    {"CreateSearchIndexRequest", &round_trip<api::CreateSearchIndexRequest>,
     "0a0b7461626c655f6e616d6530120b696e6465785f6e616d65301a002212736f757263655f696e6465785f6e"
     "616d65302805"},
    {"CreateSearchIndexResponse", &round_trip<api::CreateSearchIndexResponse>,
     ""},
    {"CreateTableRequest", &round_trip<api::CreateTableRequest>,
     "0a250a0b7461626c655f6e616d6530120b0a056e616d6530100318011a090a056e616d6530100712060a0408"
     "0110021a0d08011002288580808080203001220e0a06626567696e301204656e64302a040801100232180801"
     "10021a076b65795f6964302209726f6c655f61726e303a4b0a056e616d6530120c7072696d6172795f6b6579"
     "30120c7072696d6172795f6b6579311a0f646566696e65645f636f6c756d6e301a0f646566696e65645f636f"
     "6c756d6e312001280130024001"},
    {"CreateTableResponse", &round_trip<api::CreateTableResponse>,
     ""},
    {"DateHistogramGroups", &round_trip<api::DateHistogramGroups>,
     "0a4708818080808020108280808080201a180a160a056e616d653010081a0b6167675f726573756c7430221d"
     "0a1b0a056e616d653010081a1067726f75705f62795f726573756c7430"},
    {"DeleteDefinedColumnRequest", &round_trip<api::DeleteDefinedColumnRequest>,
     "0a0b7461626c655f6e616d65301208636f6c756d6e73301208636f6c756d6e7331"},
    {"DeleteDefinedColumnResponse", &round_trip<api::DeleteDefinedColumnResponse>,
     ""},
    {"DeleteRowRequest", &round_trip<api::DeleteRowRequest>,
     "0a0b7461626c655f6e616d6530120c7072696d6172795f6b6579301a1508021211636f6c756d6e5f636f6e64"
     "6974696f6e30222e0802121472657475726e5f636f6c756d6e5f6e616d657330121472657475726e5f636f6c"
     "756d6e5f6e616d6573312a0f7472616e73616374696f6e5f696430"},
    {"DeleteRowResponse", &round_trip<api::DeleteRowResponse>,
     "0a060a04080110021204726f7730"},
    {"DeleteSearchIndexRequest", &round_trip<api::DeleteSearchIndexRequest>,
     "0a0b7461626c655f6e616d6530120b696e6465785f6e616d6530"},
    {"DeleteSearchIndexResponse", &round_trip<api::DeleteSearchIndexResponse>,
     ""},
    {"DeleteTableRequest", &round_trip<api::DeleteTableRequest>,
     "0a0b7461626c655f6e616d6530"},
    {"DeleteTableResponse", &round_trip<api::DeleteTableResponse>,
     ""},
    {"DescribeSearchIndexRequest", &round_trip<api::DescribeSearchIndexRequest>,
     "0a0b7461626c655f6e616d6530120b696e6465785f6e616d65301801"},
    {"DescribeSearchIndexResponse", &round_trip<api::DescribeSearchIndexResponse>,
     "0a0012090802108280808080201a1c0881808080802010828080808020188380808080202084808080802022"
     "1362726f746865725f696e6465785f6e616d65303086808080802038074217080312137374617475735f6465"
     "736372697074696f6e30"},
    {"DescribeStreamRequest", &round_trip<api::DescribeStreamRequest>,
     "0a0a73747265616d5f6964301219696e636c75736976655f73746172745f73686172645f6964301803"},
    {"DescribeStreamResponse", &round_trip<api::DescribeStreamResponse>,
     "0a0a73747265616d5f69643010021a0b7461626c655f6e616d6530208480808080202802322b0a0973686172"
     "645f696430120a706172656e745f6964301a12706172656e745f7369626c696e675f6964303a0e6e6578745f"
     "73686172645f696430"},
    {"DescribeTableRequest", &round_trip<api::DescribeTableRequest>,
     "0a0b7461626c655f6e616d6530"},
    {"DescribeTableResponse", &round_trip<api::DescribeTableResponse>,
     "0a250a0b7461626c655f6e616d6530120b0a056e616d6530100318011a090a056e616d6530100712140a0408"
     "01100210828080808020188380808080201a0d0801100228858080808020300120052a170801120a73747265"
     "616d5f696430180320848080808020320d73686172645f73706c69747330320d73686172645f73706c697473"
     "313a18080110021a076b65795f6964302209726f6c655f61726e30424b0a056e616d6530120c7072696d6172"
     "795f6b657930120c7072696d6172795f6b6579311a0f646566696e65645f636f6c756d6e301a0f646566696e"
     "65645f636f6c756d6e31200128013002"},
    {"DisMaxQuery", &round_trip<api::DisMaxQuery>,
     "0a0a08141206717565727930"},
    {"DoubleResult", &round_trip<api::DoubleResult>,
     "09000000000000f83f"},
    {"DropIndexRequest", &round_trip<api::DropIndexRequest>,
     "0a106d61696e5f7461626c655f6e616d6530120b696e6465785f6e616d6530"},
    {"DropIndexResponse", &round_trip<api::DropIndexResponse>,
     ""},
    {"Error", &round_trip<api::Error>,
     "0a05636f64653012086d65737361676530"},
    {"ExistsQuery", &round_trip<api::ExistsQuery>,
     "0a0b6669656c645f6e616d6530"},
    {"FieldAggregation", &round_trip<api::FieldAggregation>,
     "0a0b6669656c645f6e616d653012086d697373696e6730"},
    {"FieldGroups", &round_trip<api::FieldGroups>,
     "0a460a046b657930108280808080201a180a160a056e616d653010081a0b6167675f726573756c7430221d0a"
     "1b0a056e616d653010081a1067726f75705f62795f726573756c7430"},
    {"FieldSchema", &round_trip<api::FieldSchema>,
     "0a0b6669656c645f6e616d6530100d2209616e616c797a6572302801300142160a0a6669656c645f6e616d65"
     "2208616e616c797a657248015213616e616c797a65725f706172616d657465723058016213736f757263655f"
     "6669656c645f6e616d6573306213736f757263655f6669656c645f6e616d6573316a0d646174655f666f726d"
     "617473306a0d646174655f666f726d617473317a0410021802"},
    {"Filter", &round_trip<api::Filter>,
     "0803120766696c74657230"},
    {"FilterGroups", &round_trip<api::FilterGroups>,
     "0a400881808080802012180a160a056e616d653010081a0b6167675f726573756c74301a1d0a1b0a056e616d"
     "653010081a1067726f75705f62795f726573756c7430"},
    {"FunctionScoreQuery", &round_trip<api::FunctionScoreQuery>,
     "0a0a08141206717565727930"},
    {"GeoBoundingBoxQuery", &round_trip<api::GeoBoundingBoxQuery>,
     "0a0b6669656c645f6e616d65301209746f705f6c656674301a0d626f74746f6d5f726967687430"},
    {"GeoDistanceQuery", &round_trip<api::GeoDistanceQuery>,
     "0a0b6669656c645f6e616d6530120d63656e7465725f706f696e7430190000000000000c40"},
    {"GeoGridGroups", &round_trip<api::GeoGridGroups>,
     "0a700a046b65793012280a1209000000000000f83f110000000000000440121209000000000000f83f110000"
     "0000000004401883808080802022180a160a056e616d653010081a0b6167675f726573756c74302a1d0a1b0a"
     "056e616d653010081a1067726f75705f62795f726573756c7430"},
    {"GeoPolygonQuery", &round_trip<api::GeoPolygonQuery>,
     "0a0b6669656c645f6e616d65301207706f696e7473301207706f696e747331"},
    {"GetRangeRequest", &round_trip<api::GetRangeRequest>,
     "0a0b7461626c655f6e616d653010011a0f636f6c756d6e735f746f5f676574301a0f636f6c756d6e735f746f"
     "5f676574312215088180808080201082808080802018838080808020280530063a1c696e636c75736976655f"
     "73746172745f7072696d6172795f6b657930421a6578636c75736976655f656e645f7072696d6172795f6b65"
     "7930520766696c746572305a0d73746172745f636f6c756d6e30620b656e645f636f6c756d6e306a06746f6b"
     "656e30720f7472616e73616374696f6e5f696430",
     "800101"},
    {"GetRangeResponse", &round_trip<api::GetRangeResponse>,
     "0a060a04080110021205726f7773301a176e6578745f73746172745f7072696d6172795f6b657930220b6e65"
     "78745f746f6b656e30"},
    {"GetRowRequest", &round_trip<api::GetRowRequest>,
     "0a0b7461626c655f6e616d6530120c7072696d6172795f6b6579301a0f636f6c756d6e735f746f5f67657430"
     "1a0f636f6c756d6e735f746f5f67657431221508818080808020108280808080201883808080802028053a07"
     "66696c74657230420d73746172745f636f6c756d6e304a0b656e645f636f6c756d6e305206746f6b656e305a"
     "0f7472616e73616374696f6e5f696430"},
    {"GetRowResponse", &round_trip<api::GetRowResponse>,
     "0a060a04080110021204726f77301a0b6e6578745f746f6b656e30"},
    {"GetShardIteratorRequest", &round_trip<api::GetShardIteratorRequest>,
     "0a0a73747265616d5f696430120973686172645f696430"},
    {"GetShardIteratorResponse", &round_trip<api::GetShardIteratorResponse>,
     "0a0f73686172645f6974657261746f7230"},
    {"GetStreamRecordRequest", &round_trip<api::GetStreamRecordRequest>,
     "0a0f73686172645f6974657261746f72301002"},
    {"GetStreamRecordResponse", &round_trip<api::GetStreamRecordResponse>,
     "0a0b080312077265636f72643012146e6578745f73686172645f6974657261746f7230"},
    {"GroupByComposite", &round_trip<api::GroupByComposite>,
     "0a120a100a056e616d653010081a05626f647930100222120a100a056e616d653010081a05626f6479302a12"
     "0a100a056e616d653010081a05626f647930320b6e6578745f746f6b656e303807"},
    {"GroupByDateHistogram", &round_trip<api::GroupByDateHistogram>,
     "0a0b6669656c645f6e616d65301204080110091a0c0a046d696e3012046d61783022086d697373696e673028"
     "858080808020320a74696d655f7a6f6e65303a1d0a1b0a020801120208011a110a0d7375625f6167675f6e61"
     "6d6530100142120a100a056e616d653010081a05626f6479304a120a100a056e616d653010081a05626f6479"
     "30520408011009"},
    {"GroupByField", &round_trip<api::GroupByField>,
     "0a0b6669656c645f6e616d653010021a1d0a1b0a020801120208011a110a0d7375625f6167675f6e616d6530"
     "100122120a100a056e616d653010081a05626f6479302a120a100a056e616d653010081a05626f6479303086"
     "8080808020"},
    {"GroupByFilter", &round_trip<api::GroupByFilter>,
     "0a0a0814120671756572793012120a100a056e616d653010081a05626f6479301a120a100a056e616d653010"
     "081a05626f647930"},
    {"GroupByGeoDistance", &round_trip<api::GroupByGeoDistance>,
     "0a0b6669656c645f6e616d6530121209000000000000f83f1100000000000004401a1209000000000000f83f"
     "11000000000000044022120a100a056e616d653010081a05626f6479302a120a100a056e616d653010081a05"
     "626f647930"},
    {"GroupByGeoGrid", &round_trip<api::GroupByGeoGrid>,
     "0a0b6669656c645f6e616d6530100c180322120a100a056e616d653010081a05626f6479302a120a100a056e"
     "616d653010081a05626f647930"},
    {"GroupByHistogram", &round_trip<api::GroupByHistogram>,
     "0a0b6669656c645f6e616d65301209696e74657276616c301a0e6d697373696e675f76616c75653020848080"
     "8080202a1d0a1b0a020801120208011a110a0d7375625f6167675f6e616d65301001320c0a046d696e301204"
     "6d6178303a120a100a056e616d653010081a05626f64793042120a100a056e616d653010081a05626f647930"
     "4a076f666673657430"},
    {"GroupByRange", &round_trip<api::GroupByRange>,
     "0a0b6669656c645f6e616d6530121209000000000000f83f1100000000000004401a120a100a056e616d6530"
     "10081a05626f64793022120a100a056e616d653010081a05626f647930"},
    {"GroupBysResult", &round_trip<api::GroupBysResult>,
     "0a1b0a056e616d653010081a1067726f75705f62795f726573756c7430"},
    {"HistogramGroups", &round_trip<api::HistogramGroups>,
     "0a460a046b657930108280808080201a180a160a056e616d653010081a0b6167675f726573756c7430221d0a"
     "1b0a056e616d653010081a1067726f75705f62795f726573756c7430"},
    {"IndexSchema", &round_trip<api::IndexSchema>,
     "0a9d010a0b6669656c645f6e616d6530100d2209616e616c797a6572302801300142160a0a6669656c645f6e"
     "616d652208616e616c797a657248015213616e616c797a65725f706172616d657465723058016213736f7572"
     "63655f6669656c645f6e616d6573306213736f757263655f6669656c645f6e616d6573316a0d646174655f66"
     "6f726d617473306a0d646174655f666f726d617473317a041002180212260801120f726f7574696e675f6669"
     "656c647330120f726f7574696e675f6669656c6473311803"},
    {"KnnVectorQuery", &round_trip<api::KnnVectorQuery>,
     "0a0b6669656c645f6e616d653010022500009040250000b0402a0a081412067175657279303d0000f040"},
    {"ListSearchIndexRequest", &round_trip<api::ListSearchIndexRequest>,
     "0a0b7461626c655f6e616d6530"},
    {"ListSearchIndexResponse", &round_trip<api::ListSearchIndexResponse>,
     "0a1a0a0b7461626c655f6e616d6530120b696e6465785f6e616d6530"},
    {"ListStreamRequest", &round_trip<api::ListStreamRequest>,
     "0a0b7461626c655f6e616d6530"},
    {"ListStreamResponse", &round_trip<api::ListStreamResponse>,
     "0a200a0a73747265616d5f696430120b7461626c655f6e616d653018838080808020"},
    {"ListTableRequest", &round_trip<api::ListTableRequest>,
     ""},
    {"ListTableResponse", &round_trip<api::ListTableResponse>,
     "0a0c7461626c655f6e616d6573300a0c7461626c655f6e616d657331"},
    {"MatchPhraseQuery", &round_trip<api::MatchPhraseQuery>,
     "0a0b6669656c645f6e616d653012057465787430"},
    {"MatchQuery", &round_trip<api::MatchQuery>,
     "0a0b6669656c645f6e616d65301205746578743018032002"},
    {"NestedQuery", &round_trip<api::NestedQuery>,
     "0a057061746830120a081412067175657279302a0410021803"},
    {"ParallelScanRequest", &round_trip<api::ParallelScanRequest>,
     "0a0b7461626c655f6e616d6530120b696e6465785f6e616d65301a200804120d636f6c756d6e5f6e616d6573"
     "30120d636f6c756d6e5f6e616d657331220b73657373696f6e5f6964302a0810021803280530063006"},
    {"ParallelScanResponse", &round_trip<api::ParallelScanResponse>,
     "0a05726f7773300a05726f777331120b6e6578745f746f6b656e30"},
    {"PercentilesAggregation", &round_trip<api::PercentilesAggregation>,
     "0a0b6669656c645f6e616d6530110000000000000440110000000000000c401a0e6d697373696e675f76616c"
     "756530"},
    {"PercentilesResult", &round_trip<api::PercentilesResult>,
     "0a1109000000000000f83f120676616c756530"},
    {"PrefixQuery", &round_trip<api::PrefixQuery>,
     "0a0b6669656c645f6e616d6530120770726566697830"},
    {"PutRowRequest", &round_trip<api::PutRowRequest>,
     "0a0b7461626c655f6e616d65301204726f77301a1508021211636f6c756d6e5f636f6e646974696f6e30222e"
     "0802121472657475726e5f636f6c756d6e5f6e616d657330121472657475726e5f636f6c756d6e5f6e616d65"
     "73312a0f7472616e73616374696f6e5f696430"},
    {"PutRowResponse", &round_trip<api::PutRowResponse>,
     "0a060a04080110021204726f7730"},
    {"RangeGroups", &round_trip<api::RangeGroups>,
     "0a5209000000000000f83f1100000000000004401883808080802022180a160a056e616d653010081a0b6167"
     "675f726573756c74302a1d0a1b0a056e616d653010081a1067726f75705f62795f726573756c7430"},
    {"RangeQuery", &round_trip<api::RangeQuery>,
     "0a0b6669656c645f6e616d6530120b72616e67655f66726f6d301a0972616e67655f746f3020012801"},
    {"SQLQueryRequest", &round_trip<api::SQLQueryRequest>,
     "0a067175657279301002"},
    {"SQLQueryResponse", &round_trip<api::SQLQueryResponse>,
     "0a1d0a0b7461626c655f6e616d653012060a04080110021a060a04080110021205726f777330180220093086"
     "8080808020"},
    {"ScanQuery", &round_trip<api::ScanQuery>,
     "0a0a08141206717565727930100218032206746f6b656e3028053006"},
    {"SearchQuery", &round_trip<api::SearchQuery>,
     "08011002220a081412067175657279302a0d0a0b6669656c645f6e616d6530320040014a06746f6b656e3052"
     "120a100a056e616d653010081a05626f6479305a120a100a056e616d653010081a05626f647930622c0a280a"
     "0b6669656c645f6e616d65301002180322087072655f746167302a09706f73745f7461673030021002680d72"
     "0c0a0a08141206717565727930"},
    {"SearchRequest", &round_trip<api::SearchRequest>,
     "0a0b7461626c655f6e616d6530120b696e6465785f6e616d65301a200804120d636f6c756d6e5f6e616d6573"
     "30120d636f6c756d6e5f6e616d657331220d7365617263685f717565727930"},
    {"SearchResponse", &round_trip<api::SearchResponse>,
     "088180808080201205726f7773301205726f77733118012a54190000000000000c4022330a310a0b6669656c"
     "645f6e616d653012106669656c645f667261676d656e74733012106669656c645f667261676d656e7473312a"
     "140a057061746830120b190000000000000c403006320b6e6578745f746f6b656e303a056167677330420a67"
     "726f75705f627973304a060a0408011002"},
    {"SingleColumnValueFilter", &round_trip<api::SingleColumnValueFilter>,
     "0808120c636f6c756d6e5f6e616d65301a0d636f6c756d6e5f76616c75653020012801320a0a067265676578"
     "301007"},
    {"Sort", &round_trip<api::Sort>,
     "0a790a460a0b6669656c645f6e616d65301001180222130a057061746830120a081412067175657279302a0e"
     "6d697373696e675f76616c756530320e6d697373696e675f6669656c643012230a0b6669656c645f6e616d65"
     "301207706f696e7473301207706f696e747331180120021a020801220208012a0208011001"},
    {"StartLocalTransactionRequest", &round_trip<api::StartLocalTransactionRequest>,
     "0a0b7461626c655f6e616d653012046b657930"},
    {"StartLocalTransactionResponse", &round_trip<api::StartLocalTransactionResponse>,
     "0a0f7472616e73616374696f6e5f696430"},
    {"TermQuery", &round_trip<api::TermQuery>,
     "0a0b6669656c645f6e616d653012057465726d30"},
    {"TermsQuery", &round_trip<api::TermsQuery>,
     "0a0b6669656c645f6e616d653012067465726d733012067465726d7331"},
    {"TopRowsAggregation", &round_trip<api::TopRowsAggregation>,
     "080112710a6d0a3a0a0b6669656c645f6e616d65301001180222070a0570617468302a0e6d697373696e675f"
     "76616c756530320e6d697373696e675f6669656c643012230a0b6669656c645f6e616d65301207706f696e74"
     "73301207706f696e747331180120021a020801220208012a0208011001"},
    {"TopRowsResult", &round_trip<api::TopRowsResult>,
     "0a05726f7773300a05726f777331"},
    {"UpdateRowRequest", &round_trip<api::UpdateRowRequest>,
     "0a0b7461626c655f6e616d6530120b726f775f6368616e6765301a1508021211636f6c756d6e5f636f6e6469"
     "74696f6e30222e0802121472657475726e5f636f6c756d6e5f6e616d657330121472657475726e5f636f6c75"
     "6d6e5f6e616d6573312a0f7472616e73616374696f6e5f696430"},
    {"UpdateRowResponse", &round_trip<api::UpdateRowResponse>,
     "0a060a04080110021204726f7730"},
    {"UpdateSearchIndexRequest", &round_trip<api::UpdateSearchIndexRequest>,
     "0a0b7461626c655f6e616d6530120b696e6465785f6e616d65301a127377697463685f696e6465785f6e616d"
     "6530280532160a0a6669656c645f6e616d652208616e616c797a6572"},
    {"UpdateSearchIndexResponse", &round_trip<api::UpdateSearchIndexResponse>,
     ""},
    {"UpdateTableRequest", &round_trip<api::UpdateTableRequest>,
     "0a0b7461626c655f6e616d653012060a04080110021a0d08011002288580808080203001220408011002"},
    {"UpdateTableResponse", &round_trip<api::UpdateTableResponse>,
     "0a140a04080110021082808080802018838080808020120d080110022885808080802030011a170801120a73"
     "747265616d5f696430180320848080808020"},
    {"WildcardQuery", &round_trip<api::WildcardQuery>,
     "0a0b6669656c645f6e616d6530120676616c756530"},
    // Go
    {"CheckpointRequest", &round_trip<api::CheckpointRequest>,
     "0a0a74756e6e656c5f696430120a636c69656e745f6964301a0b6368616e6e656c5f696430220b636865636b"
     "706f696e743028858080808020"},
    {"CheckpointResponse", &round_trip<api::CheckpointResponse>,
     ""},
    {"ConnectTunnelRequest", &round_trip<api::ConnectTunnelRequest>,
     "0a0a74756e6e656c5f696430121408818080808020120b636c69656e745f74616730"},
    {"ConnectTunnelResponse", &round_trip<api::ConnectTunnelResponse>,
     "0a0a636c69656e745f696430"},
    {"CreateTunnelRequest", &round_trip<api::CreateTunnelRequest>,
     "0a2f0a0b7461626c655f6e616d65301a0c74756e6e656c5f6e616d653020032a100801108280808080201883"
     "8080808020"},
    {"CreateTunnelResponse", &round_trip<api::CreateTunnelResponse>,
     "0a0a74756e6e656c5f696430"},
    {"DeleteTunnelRequest", &round_trip<api::DeleteTunnelRequest>,
     "0a0b7461626c655f6e616d6530120c74756e6e656c5f6e616d65301a0a74756e6e656c5f696430"},
    {"DeleteTunnelResponse", &round_trip<api::DeleteTunnelResponse>,
     ""},
    {"DescribeTunnelRequest", &round_trip<api::DescribeTunnelRequest>,
     "0a0b7461626c655f6e616d6530120c74756e6e656c5f6e616d65301a0a74756e6e656c5f696430"},
    {"DescribeTunnelResponse", &round_trip<api::DescribeTunnelResponse>,
     "0a760a0a74756e6e656c5f696430120c74756e6e656c5f74797065301a0b7461626c655f6e616d6530220e69"
     "6e7374616e63655f6e616d65302a0a73747265616d5f69643032067374616765303801420c74756e6e656c5f"
     "6e616d65304801521008011082808080802018838080808020588b808080802012470a0b6368616e6e656c5f"
     "696430120d6368616e6e656c5f74797065301a0f6368616e6e656c5f73746174757330220a636c69656e745f"
     "696430288580808080203086808080802018838080808020"},
    {"GetCheckpointRequest", &round_trip<api::GetCheckpointRequest>,
     "0a0a74756e6e656c5f696430120a636c69656e745f6964301a0b6368616e6e656c5f696430"},
    {"GetCheckpointResponse", &round_trip<api::GetCheckpointResponse>,
     "0a0b636865636b706f696e743010828080808020"},
    {"GetRpoRequest", &round_trip<api::GetRpoRequest>,
     "0a0a74756e6e656c5f6964301002"},
    {"GetRpoResponse", &round_trip<api::GetRpoResponse>,
     "0a0a72706f5f696e666f7330121174756e6e656c5f72706f5f696e666f73301a0a74756e6e656c5f696430"},
    {"GetRpoByOffsetRequest", &round_trip<api::GetRpoByOffsetRequest>,
     "0a0a74756e6e656c5f6964301002"},
    {"GetRpoByOffsetResponse", &round_trip<api::GetRpoByOffsetResponse>,
     "0a0a72706f5f696e666f7330121174756e6e656c5f72706f5f696e666f73301a0a74756e6e656c5f696430"},
    {"HeartbeatRequest", &round_trip<api::HeartbeatRequest>,
     "0a0a74756e6e656c5f696430120a636c69656e745f6964301a1f0a0b6368616e6e656c5f6964301082808080"
     "80201804220764657461696c30"},
    {"HeartbeatResponse", &round_trip<api::HeartbeatResponse>,
     "0a1f0a0b6368616e6e656c5f696430108280808080201804220764657461696c30"},
    {"ListTunnelRequest", &round_trip<api::ListTunnelRequest>,
     "0a0b7461626c655f6e616d6530"},
    {"ListTunnelResponse", &round_trip<api::ListTunnelResponse>,
     "0a760a0a74756e6e656c5f696430120c74756e6e656c5f74797065301a0b7461626c655f6e616d6530220e69"
     "6e7374616e63655f6e616d65302a0a73747265616d5f69643032067374616765303801420c74756e6e656c5f"
     "6e616d65304801521008011082808080802018838080808020588b8080808020"},
    {"ReadRecordsRequest", &round_trip<api::ReadRecordsRequest>,
     "0a0a74756e6e656c5f696430120a636c69656e745f6964301a0b6368616e6e656c5f6964302206746f6b656e"
     "30"},
    {"ReadRecordsResponse", &round_trip<api::ReadRecordsResponse>,
     "0a0b080312077265636f726430120b6e6578745f746f6b656e30"},
    {"ScheduleTunnelRequest", &round_trip<api::ScheduleTunnelRequest>,
     "0a0a74756e6e656c5f6964301a1f0a0b6368616e6e656c5f6964301082808080802018042207646574"
     "61696c30"},
    {"ScheduleTunnelResponse", &round_trip<api::ScheduleTunnelResponse>,
     ""},
    {"ShutdownTunnelRequest", &round_trip<api::ShutdownTunnelRequest>,
     "0a0a74756e6e656c5f696430120a636c69656e745f696430"},
    {"ShutdownTunnelResponse", &round_trip<api::ShutdownTunnelResponse>,
     ""},
    {"TunnelToken", &round_trip<api::TunnelToken>,
     "088180808080201208636f6e74656e7430"},
    {"TunnelTokenContent", &round_trip<api::TunnelTokenContent>,
     "0a0c7072696d6172795f6b65793012096974657261746f72301883808080802020848080808020"}};
// clang-format on

TEST_CASE("messages of official clients are read, and written the same") {
  for (const Golden& golden : all) {
    CAPTURE(golden.name);
    const std::string bytes = ::test::from_hex(golden.hex);
    CHECK(::test::to_hex(golden.round_trip(bytes)) == std::string(golden.hex) + std::string(golden.added));
  }
}

TEST_CASE("every operation has its messages among these") {
  const auto has = [](const std::string& name) {
    return std::ranges::find(all, name, &Golden::name) != std::end(all);
  };
  for (const wire::Endpoint& endpoint : wire::endpoints()) {
    const std::string operation(endpoint.operation);
    CAPTURE(operation);
    CHECK(has(operation + "Request"));
    CHECK(has(operation + "Response"));
  }
}

}  // namespace dinette::tablestore::golden_messages_test
