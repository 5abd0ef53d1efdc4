#include "tests/jvm/archive/zip_writer.hpp"

#include <zlib.h>

#include <stdexcept>
#include <string_view>

namespace lockwood::jvm {
namespace {

class Bytes {
 public:
  void number(std::uint64_t value, std::size_t length) {
    for (std::size_t i = 0; i < length; ++i) bytes_.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
  }
  void text(std::string_view text) { bytes_.insert(bytes_.end(), text.begin(), text.end()); }
  [[nodiscard]] std::size_t size() const { return bytes_.size(); }
  [[nodiscard]] std::vector<std::uint8_t> take() { return std::move(bytes_); }

 private:
  std::vector<std::uint8_t> bytes_;
};

std::string deflated(const std::string& content) {
  z_stream stream{};
  constexpr int raw = -15;  // a window of 2^15 bytes, without zlib's own header
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, raw, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::runtime_error{"zlib does not start"};
  std::string packed(deflateBound(&stream, content.size()), '\0');
  std::string input = content;
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  const int status = deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  if (status != Z_STREAM_END) throw std::runtime_error{"zlib does not finish"};
  return packed;
}

// What is in the header in front of the content and in the directory alike.
void write_common(Bytes& out, const WrittenEntry& entry, const std::string& packed) {
  const auto* const data = reinterpret_cast<const Bytef*>(entry.content.data());
  const auto crc = static_cast<std::uint32_t>(crc32(0, data, static_cast<uInt>(entry.content.size())));
  out.number(20, 2);  // version needed
  out.number(0x0800U | (entry.encrypted ? 1U : 0U), 2);
  out.number(entry.method.value_or(entry.deflated ? 8 : 0), 2);
  out.number(0, 2);       // time
  out.number(0x5000, 2);  // date
  out.number(entry.crc.value_or(crc), 4);
  out.number(entry.packed.value_or(static_cast<std::uint32_t>(packed.size())), 4);
  out.number(entry.size.value_or(static_cast<std::uint32_t>(entry.content.size())), 4);
  out.number(entry.name.size(), 2);
  out.number(0, 2);  // extra
}

}  // namespace

std::vector<std::uint8_t> written_zip(const std::vector<WrittenEntry>& entries) {
  Bytes out;
  Bytes directory;
  for (const WrittenEntry& entry : entries) {
    const std::string packed = entry.deflated ? deflated(entry.content) : entry.content;
    const std::size_t offset = out.size();
    out.number(0x04034B50, 4);
    write_common(out, entry, packed);
    out.text(entry.name);
    out.text(packed);
    directory.number(0x02014B50, 4);
    directory.number(20, 2);  // made by
    write_common(directory, entry, packed);
    directory.number(0, 2);  // comment
    directory.number(0, 2);  // disk
    directory.number(0, 2);  // internal attributes
    directory.number(0, 4);  // external attributes
    directory.number(offset, 4);
    directory.text(entry.name);
  }
  const std::size_t directory_offset = out.size();
  const std::vector<std::uint8_t> listed = directory.take();
  out.text({reinterpret_cast<const char*>(listed.data()), listed.size()});
  out.number(0x06054B50, 4);
  out.number(0, 4);  // disks
  out.number(entries.size(), 2);
  out.number(entries.size(), 2);
  out.number(listed.size(), 4);
  out.number(directory_offset, 4);
  out.number(0, 2);  // comment
  return out.take();
}

}  // namespace lockwood::jvm
